#include "protocol/exchange.hpp"

#include <fmt/core.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "protocol/frame.hpp"
#include "protocol/printable.hpp"

namespace nbody {
namespace {

using Kind = SessionError::Kind;

// How long a program that closed its output may take to end, for a core dump say.
constexpr auto time_to_end = std::chrono::seconds(2);

[[noreturn]] void throw_foreign(const std::string& message) {
  throw SessionError(Kind::foreign_answer, message);
}

int milliseconds_until(Clock::time_point deadline) {
  // Short, so that the end of a program is noticed even while its own children hold the pipe open.
  constexpr std::chrono::milliseconds longest(100);
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
  return static_cast<int>(std::clamp(left, std::chrono::milliseconds(0), longest).count());
}

}  // namespace

Exchange::Exchange(ChildProcess& program, const Request& request, std::uint64_t id)
    : program_(program),
      id_(id),
      expected_(expected_shape(request)),
      request_(format_request(request, id)) {}

double Exchange::answer_seconds() const {
  return std::chrono::duration<double>(received_at_ - sent_at_).count();
}

Answer Exchange::run(Clock::time_point deadline) {
  while (!complete()) wait(deadline);
  received_at_ = Clock::now();
  program_.drain_errors();
  Answer answer = parse_answer(*header_, std::string_view(received_).substr(frame_header_size));
  if (!answer.error.empty()) {
    throw SessionError(Kind::refused, printable(answer.error, max_refusal_size));
  }
  return answer;
}

void Exchange::wait(Clock::time_point deadline) {
  const int input = sent_ < request_.size() ? program_.input.number() : -1;
  std::array<pollfd, 3> ends = {pollfd{input, POLLOUT, 0},
                                pollfd{program_.output.number(), POLLIN, 0},
                                pollfd{program_.errors.number(), POLLIN, 0}};
  const bool ended = program_.has_ended();
  const int ready = ::poll(ends.data(), ends.size(), milliseconds_until(deadline));
  if (ends[2].revents != 0) program_.drain_errors();
  // Receiving comes first: what is there already cannot be the answer to what is not sent yet.
  if (ends[1].revents != 0) receive();
  if (ends[0].revents != 0) send();
  // Asked before poll(): whatever an ended program wrote would have been ready.
  if (ready == 0 && ended) report_end();
  if (!complete() && Clock::now() >= deadline) {
    throw SessionError(Kind::timed_out, "no answer in time:" + progress());
  }
}

void Exchange::send() {
  const std::string_view rest = std::string_view(request_).substr(sent_);
  const ssize_t count = ::write(program_.input.number(), rest.data(), rest.size());
  if (count > 0) sent_ += static_cast<std::size_t>(count);
  // A program that closed its input may still refuse, or tell by its exit status what happened.
  if (count < 0 && errno != EAGAIN && errno != EINTR) program_.input.close();
  sent_at_ = Clock::now();
}

void Exchange::receive() {
  std::array<char, 65536> bytes;
  const ssize_t count = ::read(program_.output.number(), bytes.data(), bytes.size());
  if (count > 0) {
    received_.append(bytes.data(), static_cast<std::size_t>(count));
    inspect();
  } else if (!complete() && (count == 0 || (errno != EAGAIN && errno != EINTR))) {
    report_end();
  }
}

void Exchange::inspect() {
  const std::string_view start = std::string_view(received_).substr(0, frame_magic.size());
  if (start != frame_magic.substr(0, start.size())) {
    const std::string first_line = received_.substr(0, received_.find('\n'));
    throw_foreign(fmt::format("what it wrote to standard output is no answer: \"{}\"",
                              printable(first_line, 60)));
  }
  if (!header_ && received_.size() >= frame_header_size) inspect_header();
  if (!header_) return;
  const bool is_answer = header_->kind == FrameHeader::Kind::answer;
  if (is_answer && !shape_seen_ && received_.size() >= frame_header_size + answer_shape_size) {
    inspect_shape();
  }
  if (complete() && received_.size() > frame_header_size + header_->payload_size) {
    throw_foreign("it wrote more after its answer");
  }
}

void Exchange::inspect_header() {
  header_ = parse_header(std::string_view(received_).substr(0, frame_header_size));
  if (header_->id != id_) {
    throw_foreign(fmt::format("answered request {} when asked {}{}", header_->id, id_,
                              header_->id < id_ ? ": an answer to an earlier request" : ""));
  }
  // A refusal may come early, for a request that is no good from its header on.
  if (header_->kind == FrameHeader::Kind::refusal) {
    if (header_->payload_size <= max_refusal_size) return;
    throw_foreign(fmt::format("its refusal has {} bytes, at most {} are allowed",
                              header_->payload_size, max_refusal_size));
  }
  if (header_->kind != FrameHeader::Kind::answer) throw_foreign("answered with a request");
  if (sent_ < request_.size()) throw_foreign("answered before it had the whole request");
  if (header_->payload_size < answer_shape_size) {
    throw_foreign(fmt::format("its answer has only {} bytes", header_->payload_size));
  }
}

// Before the rest is read: a wrong count may not make us collect gigabytes.
void Exchange::inspect_shape() {
  shape_seen_ = true;
  const AnswerShape shape =
      parse_answer_shape(std::string_view(received_).substr(frame_header_size));
  if (shape.bodies != expected_.bodies) {
    throw_foreign(
        fmt::format("answered for {} bodies when asked for {}", shape.bodies, expected_.bodies));
  }
  if (shape.states != expected_.states) {
    throw_foreign(
        fmt::format("answered with {} states when asked for {}", shape.states, expected_.states));
  }
  if (shape.accelerations != expected_.accelerations) {
    throw_foreign(shape.accelerations ? "sent accelerations that were not asked for"
                                      : "sent no accelerations though they were asked for");
  }
  const std::uint64_t size = answer_payload_size(shape);
  if (header_->payload_size != size) {
    throw_foreign(
        fmt::format("its answer has {} bytes where {} were expected", header_->payload_size, size));
  }
}

bool Exchange::complete() const {
  return header_ && received_.size() >= frame_header_size + header_->payload_size;
}

std::string Exchange::progress() const {
  if (header_) {
    return fmt::format(" after {} of {} bytes of its answer", received_.size(),
                       frame_header_size + header_->payload_size);
  }
  if (!received_.empty()) return fmt::format(" after {} bytes of its answer", received_.size());
  if (sent_ < request_.size()) {
    return fmt::format(" after {} of {} bytes of the request", sent_, request_.size());
  }
  return " before it answered";
}

void Exchange::report_end() {
  const bool closed = !program_.has_ended();
  const std::string ending = program_.stop(Clock::now() + time_to_end);
  const bool kept_running = closed && ending == "was stopped";
  throw SessionError(Kind::crashed,
                     (kept_running ? "closed its output and kept running" : ending) + progress());
}

}  // namespace nbody
