#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "protocol/messages.hpp"

namespace nbody {

// The simulator program did not give an answer.
class SessionError : public std::runtime_error {
 public:
  enum class Kind { not_started, crashed, timed_out, foreign_answer, refused };
  SessionError(Kind kind, const std::string& message) : std::runtime_error(message), kind(kind) {}
  Kind kind;
};

// A conversation with one simulator program that runs as a child process.
class Session {
 public:
  // `arguments` come after `--serve`.
  explicit Session(std::filesystem::path program, std::vector<std::string> arguments = {});
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Sends the request under a fresh id (the request's own id is ignored) and waits for the answer,
  // at most `timeout_s` seconds. Starts the program first if it is not running. Checks that the
  // answer has the shape that was asked for. After a SessionError the program is dead and the next
  // call starts a new one.
  Answer ask(const Request& request, double timeout_s);

  // Wall-clock seconds between the last byte sent and the first byte of the last answer.
  double answer_seconds() const { return answer_seconds_; }
  // What the program wrote to standard error: the first 64 KiB.
  std::string diagnostics() const;

 private:
  void start();
  void stop();
  std::filesystem::path program_;
  std::vector<std::string> arguments_;
  pid_t child_ = -1;
  int to_child_ = -1, from_child_ = -1;
  int diagnostics_ = -1;
  std::uint64_t last_id_ = 0;
  double answer_seconds_ = 0;
};

}  // namespace nbody
