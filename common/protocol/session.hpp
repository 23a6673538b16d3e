#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
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

class ChildProcess;

// A conversation with one simulator program that runs as a child process. Use it from one thread
// only: the program dies with the thread that started it, so a killed checker leaves nothing
// behind. The constructor makes this process ignore SIGPIPE, unless it has a handler of its own.
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

  // Wall-clock seconds between the last byte sent and the last byte of the last answer.
  double answer_seconds() const { return answer_seconds_; }
  // What the program wrote to standard error: the first 64 KiB, raw. See printable.hpp.
  std::string diagnostics() const;

 private:
  void start();
  void stop(bool patiently);
  std::filesystem::path program_;
  std::vector<std::string> arguments_;
  std::unique_ptr<ChildProcess> child_;  // null: not running
  std::string diagnostics_;              // of the program that ran last
  std::uint64_t last_id_ = 0;
  double answer_seconds_ = 0;
};

}  // namespace nbody
