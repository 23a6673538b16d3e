#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "protocol/child_process.hpp"
#include "protocol/receive_buffer.hpp"
#include "protocol/session_options.hpp"
#include "protocol/unix_socket.hpp"

namespace nbody::protocol {

// Requests to one running program, and its answers, in the same order. One loop sends, receives and
// reads its error output, whichever is possible first: a program that writes before it has read
// everything cannot block us, nor we it. Any fault of the program is a SessionError or a
// ProtocolError.
class Conversation {
 public:
  // With a listener the program must connect first.
  Conversation(ChildProcess& program, std::unique_ptr<Listener> listener, ExpectedProgram expected,
               std::function<void()> on_wait)
      : program_(program),
        listener_(std::move(listener)),
        expected_(std::move(expected)),
        on_wait_(std::move(on_wait)) {}

  // Never waits: what does not fit into the pipe is sent while waiting for an answer.
  void send(const Request& request, std::uint64_t id);
  // The answer to the oldest request.
  Answer receive(Clock::time_point deadline);

  std::size_t in_flight() const { return asked_.size(); }
  const std::optional<Hello>& hello() const { return hello_; }
  // From the first byte of the request sent to the last byte of its answer received: no work can
  // start before the clock, and half an answer does not stop it.
  double answer_seconds() const { return answer_seconds_; }

 private:
  void receive_hello(Clock::time_point deadline);
  void wait(Clock::time_point deadline);
  int exchange(int milliseconds);
  void accept();
  void write_some();
  void read_some();
  PendingRequest* first_unsent();
  std::string progress() const;
  [[noreturn]] void report_end();

  ChildProcess& program_;
  std::unique_ptr<Listener> listener_;  // null when there is a connection
  const ExpectedProgram expected_;
  const std::function<void()> on_wait_;
  std::optional<Hello> hello_;
  std::deque<PendingRequest> asked_;  // the oldest first
  ReceiveBuffer received_;
  double answer_seconds_ = 0;
};

}  // namespace nbody::protocol
