#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

#include "protocol/descriptor.hpp"

namespace nbody::protocol {

using Clock = std::chrono::steady_clock;

// A program with pipes to its standard input, output and error. It leads its own session and dies
// with the thread that started it. What it starts dies with it, even in other sessions. It gains no
// rights, dumps no core and writes no large file.
class ChildProcess {
 public:
  // Looks the program up as a path, not in PATH. Throws std::system_error when it cannot run. With
  // a `socket` it finds this path in its environment, its input is empty, and its output goes to
  // `errors`; `input` and `output` are then for the accepted connection.
  ChildProcess(const std::string& program, const std::vector<std::string>& arguments,
               const std::string& socket = "");
  ~ChildProcess() { stop(Clock::now()); }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Our ends; none of them blocks.
  Descriptor input, output, errors;

  // Empties the error pipe, at most one pipe's capacity. Only the first 64 KiB are kept, but
  // everything is read, so that a full pipe never blocks a talkative program.
  void drain_errors();
  const std::string& diagnostics() const { return diagnostics_; }

  // Stops and continues it and all that it started.
  void pause() const;
  void resume() const;
  // Of it and all running descendants: in a sandbox, or under a launcher, these do the work.
  double cpu_seconds() const;
  double waited_seconds() const;  // for a core, see process_tree.hpp
  std::size_t memory() const;     // bytes of their resident sets

  // The program has ended; stop() will not wait.
  bool has_ended() const;

  // Waits for the end until the deadline, then kills. Returns how it ended: "exited with status 3",
  // "killed by signal 11 (Segmentation fault)", or "was stopped" when the deadline came first.
  std::string stop(Clock::time_point deadline);

 private:
  pid_t process_ = -1;
  std::string ending_;
  std::string diagnostics_;
};

// Runs a program (the first word) to its end, with this process's output. Returns its exit status,
// or 127 if it cannot be started.
int run_and_wait(const std::vector<std::string>& words);

}  // namespace nbody::protocol
