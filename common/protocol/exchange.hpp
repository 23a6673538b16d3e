#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/child_process.hpp"
#include "protocol/messages.hpp"
#include "protocol/session.hpp"

namespace nbody {

// One request and its answer. Everything that the program may do wrong is a SessionError.
class Exchange {
 public:
  Exchange(ChildProcess& program, const Request& request, std::uint64_t id);

  // Sends, receives and takes the program's complaints, whichever is possible first: a program that
  // writes before it has read everything cannot block us, nor we it.
  Answer run(Clock::time_point deadline);
  // Between the last byte sent and the last byte received. The first one would let a program stop
  // the clock early with half an answer.
  double answer_seconds() const;

 private:
  void wait(Clock::time_point deadline);
  void send();
  void receive();
  void inspect();
  void inspect_header();
  void inspect_shape();
  bool complete() const;
  std::string progress() const;
  [[noreturn]] void report_end();

  ChildProcess& program_;
  const std::uint64_t id_;
  const AnswerShape expected_;
  const std::string request_;
  std::size_t sent_ = 0;
  std::string received_;
  std::optional<FrameHeader> header_;
  bool shape_seen_ = false;
  Clock::time_point sent_at_, received_at_;
};

}  // namespace nbody
