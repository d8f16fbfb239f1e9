"""Checks that a file is a log of SARIF 2.1.0 as far as the standard's `shall`s
about what `warpwright scan` writes go, and prints what is in it, sorted."""

import json
import sys

LEVELS = ("none", "note", "warning", "error")
KINDS = ("pass", "open", "informational", "notApplicable", "review", "fail")


def place(location):
    physical = location["physicalLocation"]
    region = physical.get("region", {})
    assert region.get("startLine", 1) > 0 and region.get("startColumn", 1) > 0
    uri = physical["artifactLocation"]["uri"]
    assert " " not in uri and "\\" not in uri
    return "%s:%s" % (uri, region.get("startLine", "-"))


log = json.load(open(sys.argv[1]))
assert log["version"] == "2.1.0" and log["$schema"].endswith("sarif-2.1.0.json")
(run,) = log["runs"]
driver = run["tool"]["driver"]
assert driver["name"] == "warpwright" and driver["version"]
rules = [rule["id"] for rule in driver["rules"]]
assert len(set(rules)) == len(rules)
for rule in driver["rules"]:
    assert rule["shortDescription"]["text"] and rule["help"]["text"]

lines = []
for result in run["results"]:
    assert result["ruleId"] in rules and result["level"] in LEVELS
    assert result["kind"] in KINDS
    # 3.27.9: a level is for what fails.
    assert result["kind"] == "fail" or result["level"] == "none"
    (location,) = result["locations"]
    text = "%s %s %s %s" % (
        result["ruleId"], result["level"], place(location), result["message"]["text"],
    )
    for other in result.get("relatedLocations", []):
        text += "\n  related " + place(other)
    for fix in result.get("fixes", []):
        (change,) = fix["artifactChanges"]
        (edit,) = change["replacements"]
        assert edit["deletedRegion"]["byteLength"] == 0
        text += "\n  fix %s at byte %d: %r" % (
            change["artifactLocation"]["uri"],
            edit["deletedRegion"]["byteOffset"],
            edit["insertedContent"]["text"],
        )
    lines.append(text)
(invocation,) = run["invocations"]
notes = invocation["toolExecutionNotifications"]
assert invocation["executionSuccessful"] == (not notes)
print("\n".join(sorted(lines)))
for note in notes:
    assert note["associatedRule"]["id"] in rules
    place(note["locations"][0])
    print("%s: %s" % (note["level"], note["message"]["text"]))
print("rules", *rules)
