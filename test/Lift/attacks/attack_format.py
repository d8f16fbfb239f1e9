"""A lit format: each program of this folder is one test. See attacks.py."""

import os

import attacks
import lit.Test
import lit.formats


class AttackFormat(lit.formats.TestFormat):
    def getTestsInDirectory(self, suite, path, lit_config, config):
        for name in sorted(os.listdir(suite.getSourcePath(path))):
            if name.endswith(".cu"):
                yield lit.Test.Test(suite, (*path, name), config)

    def execute(self, test, lit_config):
        tool = os.path.join(test.config.warpwright_build, "bin", "warpwright")
        program = attacks.Program(tool, test.path_in_suite[-1], test.config.environment)
        verdicts = program.judge()
        text = "".join("%-28s %s\n" % pair for pair in verdicts.items())
        wrong = any(not attacks.is_right(verdict) for verdict in verdicts.values())
        return lit.Test.Result(lit.Test.FAIL if wrong else lit.Test.PASS, text)
