#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "simulator/serve.hpp"

namespace nbody {

using Clock = std::chrono::steady_clock;

// A program that leads a session of its own, and all that it has started: the ranks of a launcher,
// what a sandbox holds, what has lost its parent. Found by session and parent in /proc. What moves
// to another session and loses its parent, too, is lost: only a sandbox with its own process
// numbers holds even that.

void signal_all(pid_t leader, int signal);

// Of all its processes that run: what has ended no longer counts.
struct ProcessNumbers {
  double cpu_seconds = 0;  // to the nanosecond
  // Of its running threads, so far: seconds on a core, and seconds that they could have run and had
  // none; 0 where the kernel does not tell.
  double threads_ran = 0, threads_waited = 0;
  std::size_t memory = 0;  // bytes of resident sets, shared memory counted for each
};
ProcessNumbers numbers_of(pid_t leader);

// A program whose input is empty, and whose output and error output go into one file that has no
// name. It leads a session of its own and is ended with all of it; it dies with the thread that
// started it. It gains no rights, dumps no core and writes no large file.
class ChildProcess {
 public:
  // The first word is looked up as a path, not in PATH. The program finds the socket's path in its
  // environment. One that cannot run ends with status 127, and its output says why. Throws
  // std::system_error.
  ChildProcess(std::vector<std::string> words, const std::string& socket);
  ~ChildProcess() { stop(Clock::now()); }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  pid_t number() const { return process_; }  // and of its session
  std::string printed() const;               // the first 64 KiB
  bool has_ended() const;                    // stop() will not wait

  // Waits for the end until the deadline, then kills. Returns how it ended: "exited with status 3",
  // "killed by signal 11 (Segmentation fault)", or "was stopped" when the deadline came first.
  std::string stop(Clock::time_point deadline);
  int signal() const { return signal_; }  // that killed it before stop() would have; 0: none

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> output_;
  pid_t process_ = -1;
  std::string ending_;
  int signal_ = 0;
};

}  // namespace nbody
