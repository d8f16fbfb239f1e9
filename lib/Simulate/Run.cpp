//===-- Run.cpp - Running a simulated program -----------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Findings.h"
#include "warpwright/Frontend/CompileFlags.h"
#include "warpwright/Frontend/Diagnostics.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

using namespace warpwright;

static llvm::Error makeError(const llvm::Twine &Message) {
  return llvm::make_error<DiagError>(DiagID::SimulatorBuildFailed,
                                     std::vector<std::string>{Message.str()});
}

namespace {

/// While a program runs, it handles the keys that would end it.
class IgnoreInterrupts {
public:
  IgnoreInterrupts() {
    struct sigaction Ignore = {};
    Ignore.sa_handler = SIG_IGN;
    sigaction(SIGINT, &Ignore, &Interrupt);
    sigaction(SIGQUIT, &Ignore, &Quit);
  }
  ~IgnoreInterrupts() { restore(); }
  void restore() {
    sigaction(SIGINT, &Interrupt, nullptr);
    sigaction(SIGQUIT, &Quit, nullptr);
  }

private:
  struct sigaction Interrupt, Quit;
};

} // namespace

/// In the child process: executes the program.
[[noreturn]] static void become(char *const *Argv, char *const *Environment,
                                bool DropOutput) {
  if (DropOutput) {
    int Null = open("/dev/null", O_WRONLY);
    dup2(Null, STDOUT_FILENO);
    close(Null);
  }
  execve(Argv[0], Argv, Environment);
  _exit(127);
}

static std::vector<char *> getPointers(std::vector<std::string> &Words) {
  std::vector<char *> Pointers;
  for (std::string &Each : Words)
    Pointers.push_back(Each.data());
  Pointers.push_back(nullptr);
  return Pointers;
}

/// Passes every line of \p FD to \p Printer until its last writer has closed
/// it.
static void readLines(int FD, FindingPrinter &Printer) {
  std::string Pending;
  char Buffer[4096];
  while (true) {
    ssize_t Size = read(FD, Buffer, sizeof(Buffer));
    if (Size < 0 && errno == EINTR)
      continue;
    if (Size <= 0)
      break;
    Pending.append(Buffer, Size);
    size_t Start = 0;
    for (size_t End; (End = Pending.find('\n', Start)) != std::string::npos;
         Start = End + 1)
      Printer.print(llvm::StringRef(Pending).slice(Start, End));
    Pending.erase(0, Start);
  }
}

llvm::Expected<RunResult>
warpwright::runProgram(llvm::StringRef Program, const RunOptions &Options,
                       const GeneratedLines &Generated) {
  int Pipe[2];
  if (pipe(Pipe))
    return makeError("cannot make a pipe: " + llvm::Twine(strerror(errno)));
  fcntl(Pipe[0], F_SETFD, FD_CLOEXEC);

  std::vector<std::string> Words = {Program.str()};
  Words.insert(Words.end(), Options.Arguments.begin(), Options.Arguments.end());
  std::vector<std::string> Environment;
  for (char **Each = environ; *Each; ++Each)
    if (!llvm::StringRef(*Each).starts_with("WARPWRIGHT_SIM_REPORT_FD="))
      Environment.push_back(*Each);
  for (const std::string &Each : Options.Environment) {
    llvm::StringRef Name = llvm::StringRef(Each).split('=').first;
    llvm::erase_if(Environment, [&](llvm::StringRef Old) {
      return Old.split('=').first == Name;
    });
    Environment.push_back(Each);
  }
  Environment.push_back("WARPWRIGHT_SIM_REPORT_FD=" + std::to_string(Pipe[1]));
  std::vector<char *> Argv = getPointers(Words);
  std::vector<char *> Envp = getPointers(Environment);

  llvm::outs().flush();
  IgnoreInterrupts Interrupts;
  pid_t Child = fork();
  if (Child == 0) {
    Interrupts.restore();
    become(Argv.data(), Envp.data(), Options.DropOutput);
  }
  close(Pipe[1]);
  if (Child < 0) {
    close(Pipe[0]);
    return makeError("cannot start the program: " +
                     llvm::Twine(strerror(errno)));
  }
  FindingPrinter Printer(Program, Generated, llvm::errs());
  readLines(Pipe[0], Printer);
  close(Pipe[0]);
  int Status = 0;
  while (waitpid(Child, &Status, 0) < 0 && errno == EINTR) {
  }
  RunResult Result;
  if (WIFSIGNALED(Status) && !Printer.getNumErrors())
    reportPlain(DiagID::ProgramKilled,
                {std::to_string(WTERMSIG(Status)) + " (" +
                 strsignal(WTERMSIG(Status)) + ")"});
  Result.Status =
      WIFSIGNALED(Status) ? 128 + WTERMSIG(Status) : WEXITSTATUS(Status);
  Result.NumErrors = Printer.getNumErrors();
  Result.NumWarnings = Printer.getNumWarnings();
  return Result;
}
