#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

#include "protocol/descriptor.hpp"
#include "protocol/process_tree.hpp"

namespace nbody::protocol {

using Clock = std::chrono::steady_clock;

// A program whose input is empty, and whose output and error output are read as one. It leads its
// own session and dies with the thread that started it. What it starts dies with it, even in other
// sessions. It gains no rights, dumps no core and writes no large file.
class ChildProcess {
 public:
  // The first word is looked up as a path, not in PATH. The program finds the socket's path in its
  // environment. Throws std::system_error when it cannot run.
  explicit ChildProcess(std::vector<std::string> words, const std::string& socket = "");
  ~ChildProcess() { stop(Clock::now()); }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // What it prints. poll() tells when there is something to drain: at most one pipe's capacity.
  // Only the first 64 KiB are kept, but everything is read, so that a full pipe never blocks a
  // talkative program.
  int printed() const { return printed_.number(); }
  void drain();
  const std::string& diagnostics() const { return diagnostics_; }

  // Stops and continues it and all that it started.
  void pause() const;
  void resume() const;
  // Of it and all running descendants: in a sandbox, or under a launcher, these do the work. Time
  // of what any program left behind counts, too: nobody can tell whose it was.
  double cpu_seconds() const;
  ThreadTimes thread_times() const;
  std::size_t memory() const;  // bytes of their resident sets

  // The program has ended; stop() will not wait.
  bool has_ended() const;

  // Waits for the end until the deadline, then kills. Returns how it ended: "exited with status 3",
  // "killed by signal 11 (Segmentation fault)", or "was stopped" when the deadline came first.
  std::string stop(Clock::time_point deadline);
  // That killed it before stop() would have; 0: none.
  int signal() const { return signal_; }

 private:
  pid_t process_ = -1;
  Descriptor printed_;  // never blocks
  std::string ending_;
  int signal_ = 0;
  std::string diagnostics_;
};

// Runs a program (the first word) to its end, with this process's output. Returns its exit status,
// or 127 if it cannot be started.
int run_and_wait(const std::vector<std::string>& words);

}  // namespace nbody::protocol
