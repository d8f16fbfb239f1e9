//===-- Guard.cpp - Work that may crash or never end ----------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Guard.h"
#include "Arguments.h"
#include "Driver.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>
#ifdef __linux__
#include <sys/prctl.h>
#endif

using namespace warpwright;

/// The status of a child that runs out of memory; results are smaller.
static constexpr int MemoryStatus = 250;

/// The limit of elapsed time. A child that waits for something uses no
/// processor time, and a busy machine may make it slow.
static constexpr unsigned WallFactor = 10;
static constexpr unsigned MostSeconds = 10000000;

llvm::Error warpwright::readGuardOptions(const Arguments &Given,
                                         GuardOptions &Options) {
  if (std::optional<llvm::StringRef> Seconds = Given.value(OPT_time_limit)) {
    if (Seconds->getAsInteger(10, Options.Seconds) || Options.Seconds == 0)
      return makeUsageError("'--time-limit' takes a number of seconds, not '" +
                            *Seconds + "'");
    // The limit of elapsed time is a multiple of it.
    if (Options.Seconds > MostSeconds)
      return makeUsageError("'--time-limit' takes at most " +
                            llvm::Twine(MostSeconds) + " seconds, not " +
                            *Seconds);
  }
  Options.Failure = Given.valueOrEmpty(OPT_simulate_failure);
  if (Options.Failure == "memory")
    Options.Bytes = uint64_t(512) << 20; // the machine has other work
  return llvm::Error::success();
}

namespace {

/// Uses the whole stack, unless the given depth is reached first.
LLVM_ATTRIBUTE_NOINLINE unsigned overflow(volatile unsigned *Above,
                                          unsigned Depth) {
  volatile unsigned Here[256];
  Here[Depth % 256] = *Above + 1;
  if (Depth == ~0u)
    return Here[0];
  return overflow(Here, Depth + 1) + Here[Depth % 256];
}

} // namespace

/// Does what a mistake in the tool could do.
static void fail(llvm::StringRef How) {
  volatile unsigned Zero = 0;
  if (How == "crash")
    raise(SIGSEGV);
  else if (How == "abort")
    abort();
  else if (How == "overflow")
    overflow(&Zero, 0);
  else if (How == "hang")
    while (!Zero) {
    }
  else if (How == "sleep")
    while (true)
      pause();
  else if (How == "memory")
    for (std::vector<char *> All; true;) {
      All.push_back(new char[1 << 20]);
      memset(All.back(), 1, 1 << 20);
    }
}

[[noreturn]] static void endForMemory() { _exit(MemoryStatus); }

static void setLimit(int Resource, uint64_t Value) {
  struct rlimit Limit;
  if (getrlimit(Resource, &Limit))
    return;
  if (Limit.rlim_max == RLIM_INFINITY || Limit.rlim_max > Value)
    Limit.rlim_cur = static_cast<rlim_t>(Value);
  setrlimit(Resource, &Limit);
}

/// This runs in the child.
[[noreturn]] static void runChild(const GuardOptions &Options,
                                  llvm::function_ref<int()> Work) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  // The parent prints the last message, in one line.
  for (int Signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS,
                     SIGXCPU, SIGQUIT})
    std::signal(Signal, SIG_DFL);
  setLimit(RLIMIT_CORE, 0);
  setLimit(RLIMIT_CPU, Options.Seconds);
#if !LLVM_ADDRESS_SANITIZER_BUILD && !LLVM_THREAD_SANITIZER_BUILD &&           \
    !LLVM_MEMORY_SANITIZER_BUILD
  // A sanitizer's shadow memory is larger than any limit.
  setLimit(RLIMIT_DATA, Options.Bytes);
#endif
  std::set_new_handler(endForMemory);
  llvm::remove_bad_alloc_error_handler();
  llvm::install_bad_alloc_error_handler(
      [](void *, const char *, bool) { endForMemory(); });
  fail(Options.Failure);
  int Status = Work();
  llvm::outs().flush();
  llvm::errs().flush();
  std::fflush(nullptr);
  // Everything else that this process owns, such as temporary folders, belongs
  // to the parent.
  _exit(Status);
}

/// Waits until \p Pipe, whose other end \p Child holds, is closed. Kills the
/// child after \p Seconds, and returns whether it did.
static bool waitForEnd(int Pipe, pid_t Child, unsigned Seconds) {
  using Clock = std::chrono::steady_clock;
  const auto End = Clock::now() + std::chrono::seconds(Seconds);
  while (true) {
    auto Left = std::chrono::duration_cast<std::chrono::milliseconds>(
        End - Clock::now());
    if (Left.count() <= 0) {
      kill(Child, SIGKILL);
      return false;
    }
    struct pollfd Poll = {Pipe, POLLIN, 0};
    int Ready = poll(&Poll, 1,
                     static_cast<int>(std::min<int64_t>(Left.count(), 60000)));
    if (Ready > 0 || (Ready < 0 && errno != EINTR))
      return true;
  }
}

/// Waits for \p Child. Returns its status, or nothing and the reason why it did
/// not end normally.
static std::optional<int> getStatus(pid_t Child, bool InTime,
                                    const GuardOptions &Options,
                                    std::string &Why) {
  int Status = 0;
  while (waitpid(Child, &Status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(Status) && WEXITSTATUS(Status) != MemoryStatus)
    return WEXITSTATUS(Status);
  if (WIFEXITED(Status))
    Why = "needed more than " + std::to_string(Options.Bytes >> 20) +
          " MiB of memory";
  else if (!InTime)
    Why =
        "took more than " + std::to_string(Options.Seconds * WallFactor) + " s";
  else if (WTERMSIG(Status) == SIGXCPU)
    Why = "took more than " + std::to_string(Options.Seconds) +
          " s of processor time";
  else
    Why = std::string("crashed (") + strsignal(WTERMSIG(Status)) + ")";
  return std::nullopt;
}

std::optional<int> warpwright::runGuarded(const GuardOptions &Options,
                                          llvm::function_ref<int()> Work,
                                          std::string &Why) {
  llvm::outs().flush();
  llvm::errs().flush();
  std::fflush(nullptr);
  int Pipe[2];
  if (pipe(Pipe)) {
    Why = std::string("has no pipe to start it with: ") + strerror(errno);
    return std::nullopt;
  }
  pid_t Child = fork();
  if (Child == 0) {
    close(Pipe[0]);
    runChild(Options, Work);
  }
  close(Pipe[1]);
  if (Child < 0) {
    Why = std::string("cannot start a process: ") + strerror(errno);
    close(Pipe[0]);
    return std::nullopt;
  }
  const bool InTime = waitForEnd(Pipe[0], Child, Options.Seconds * WallFactor);
  close(Pipe[0]);
  return getStatus(Child, InTime, Options, Why);
}

namespace {

/// A child of the pool, and its output so far.
struct PoolChild {
  size_t Index;
  pid_t Process;
  int Pipe;
  std::chrono::steady_clock::time_point End;
  std::string Text;
};

} // namespace

/// Writes all of \p Text; if the parent has ended, there is no reader.
static void writeAll(int File, llvm::StringRef Text) {
  while (!Text.empty()) {
    const ssize_t Written = write(File, Text.data(), Text.size());
    if (Written < 0 && errno != EINTR)
      return;
    Text = Text.drop_front(Written > 0 ? Written : 0);
  }
}

/// Starts a child, or says why it cannot be started.
static std::optional<PoolChild>
startChild(const GuardOptions &Options, size_t Index,
           llvm::function_ref<std::string(size_t)> Work, std::string &Why) {
  int Pipe[2];
  if (pipe(Pipe)) {
    Why = std::string("has no pipe to start it with: ") + strerror(errno);
    return std::nullopt;
  }
  const pid_t Child = fork();
  if (Child == 0) {
    close(Pipe[0]);
    runChild(Options, [&]() -> int {
      writeAll(Pipe[1], Work(Index));
      return 0;
    });
  }
  close(Pipe[1]);
  if (Child < 0) {
    Why = std::string("cannot start a process: ") + strerror(errno);
    close(Pipe[0]);
    return std::nullopt;
  }
  const auto Limit =
      std::chrono::seconds(uint64_t(Options.Seconds) * WallFactor);
  return PoolChild{Index, Child, Pipe[0],
                   std::chrono::steady_clock::now() + Limit, ""};
}

void warpwright::runGuardedPool(
    const GuardOptions &Options, unsigned Jobs, size_t Count,
    llvm::function_ref<std::string(size_t)> Work,
    llvm::function_ref<void(size_t, std::optional<std::string>, std::string)>
        Done) {
  llvm::outs().flush();
  llvm::errs().flush();
  std::fflush(nullptr);
  std::vector<PoolChild> Running;
  size_t Next = 0;
  while (Next != Count || !Running.empty()) {
    while (Next != Count && Running.size() < std::max(Jobs, 1u)) {
      std::string Why;
      if (auto Child = startChild(Options, Next, Work, Why))
        Running.push_back(std::move(*Child));
      else
        Done(Next, std::nullopt, Why);
      ++Next;
    }
    std::vector<struct pollfd> Polls;
    for (const PoolChild &Each : Running)
      Polls.push_back({Each.Pipe, POLLIN, 0});
    // The time limits are checked once a second.
    poll(Polls.data(), Polls.size(), 1000);
    for (size_t I = Running.size(); I-- != 0;) {
      PoolChild &Each = Running[I];
      const bool InTime = std::chrono::steady_clock::now() < Each.End;
      if (InTime && !Polls[I].revents)
        continue;
      if (InTime) {
        char Buffer[65536];
        const ssize_t Size = read(Each.Pipe, Buffer, sizeof Buffer);
        if (Size > 0)
          Each.Text.append(Buffer, static_cast<size_t>(Size));
        if (Size > 0 || (Size < 0 && errno == EINTR))
          continue;
      } else {
        kill(Each.Process, SIGKILL);
      }
      close(Each.Pipe);
      std::string Why;
      std::optional<std::string> Result;
      if (getStatus(Each.Process, InTime, Options, Why))
        Result = std::move(Each.Text);
      const size_t Index = Each.Index;
      Running.erase(Running.begin() + I);
      Done(Index, std::move(Result), Why);
    }
  }
}
