#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "protocol/session_options.hpp"

namespace nbody::protocol {

// The simulator program did not give an answer.
class SessionError : public std::runtime_error {
 public:
  enum class Kind {
    not_started,
    crashed,
    timed_out,
    malformed_answer,
    other_program,
    refused,
    unsupported  // it lacks what was asked for, says so, and goes on
  };
  SessionError(Kind kind, const std::string& message) : std::runtime_error(message), kind(kind) {}
  Kind kind;
};

class ChildProcess;
class Conversation;

// A conversation with one simulator program that runs as a child process. Use it only from one
// thread: the program dies with the thread that started it, so a killed checker leaves nothing
// behind. The constructor makes this process ignore SIGPIPE, unless it has a handler of its own.
class Session {
 public:
  // `arguments` come after `--serve`.
  explicit Session(std::filesystem::path program, std::vector<std::string> arguments = {},
                   SessionOptions options = {});
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Sends the request under a fresh id (the request's own id is ignored) and waits for the answer,
  // at most `timeout_s` seconds. Starts the program first if it is not running. Checks that the
  // answer has the shape that was asked for. After a SessionError, unless it is of the kind
  // unsupported, the program is dead and the next call starts a new one.
  Answer ask(const Request& request, double timeout_s);

  // The two halves of ask(), for up to max_requests_ahead requests on their way: answers come in
  // the order of their requests. send() never waits. After a SessionError of either the program is
  // dead, and what was on its way is gone. Throws std::logic_error for a request too many, for
  // receive() without a request, and for ask() while answers are pending.
  void send(const Request& request);
  Answer receive(double timeout_s);
  std::size_t in_flight() const;

  // Ends the requests. Returns how the program ends within `timeout_s`, for example "exited with
  // status 0"; "was stopped" if it did not end. Empty: it was not running.
  std::string finish(double timeout_s);

  // Between two requests: stops it and all that it started, so that none of its threads works or
  // spins while another program is timed. Call resume() before the next request.
  void pause() const;
  void resume() const;
  // CPU time of its threads so far, s, and its resident memory, bytes; 0 if it is not running.
  double cpu_seconds() const;
  // Seconds that its threads had no core to run on, see process_tree.hpp.
  double waited_seconds() const;
  std::size_t memory() const;

  // Wall-clock seconds between the first byte sent and the last byte of the last answer.
  double answer_seconds() const { return answer_seconds_; }
  // The hello of the running program; nothing before its first answer.
  std::optional<Hello> hello() const;
  // What the program wrote to standard error: the first 64 KiB, raw. See safe_line().
  std::string diagnostics() const;

 private:
  Answer receive(std::chrono::steady_clock::time_point deadline);
  void start();
  std::vector<std::string> words_to_start() const;
  void stop(bool patiently);
  template <typename Action>
  void guarded(Action action);
  std::filesystem::path program_;
  std::vector<std::string> arguments_;
  SessionOptions options_;
  std::unique_ptr<ChildProcess> child_;  // null: not running
  std::unique_ptr<Conversation> conversation_;
  std::string diagnostics_;  // of the program that ran last
  std::uint64_t last_id_ = 0;
  double answer_seconds_ = 0;
};

}  // namespace nbody::protocol
