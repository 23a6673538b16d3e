#include "protocol/conversation.hpp"

#include <fmt/core.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <sstream>

#include "protocol/frame.hpp"
#include "protocol/session.hpp"

namespace nbody::protocol {
namespace {

// The line of a program's output that tells what went wrong, else the first.
std::string most_relevant_line(const std::string& said) {
  constexpr std::size_t longest = 200;
  std::string first;
  std::istringstream lines(said);
  for (std::string line; std::getline(lines, line);) {
    line.resize(std::min(line.size(), longest));
    if (line.starts_with("rank ") || line.find("rror") != line.npos) return line;
    if (first.empty()) first = line;
  }
  return first;
}

using Kind = SessionError::Kind;

// How long a program that closed its output may take to end, for example for a core dump.
constexpr auto time_to_end = std::chrono::seconds(2);

int milliseconds_until(Clock::time_point deadline) {
  // Short, so that the end of a program is noticed even while its own children hold the pipe open.
  constexpr std::chrono::milliseconds longest(100);
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
  return static_cast<int>(std::clamp(left, std::chrono::milliseconds(0), longest).count());
}

}  // namespace

void Conversation::send(const Request& request, std::uint64_t id) {
  asked_.push_back({id, expected_shape(request), format_request(request, id)});
  exchange(0);
}

Answer Conversation::receive(Clock::time_point deadline) {
  if (!hello_) receive_hello(deadline);
  PendingRequest& asked = asked_.front();
  while (!received_.holds_answer(asked)) wait(deadline);
  answer_seconds_ = std::chrono::duration<double>(Clock::now() - asked.sent_at).count();
  program_.drain_errors();
  Answer answer = parse_answer(received_.header(), received_.payload());
  received_.take_frame();
  asked_.pop_front();
  require(!asked_.empty() || received_.is_empty(), "it wrote more after its answer");
  if (!answer.error.empty()) {
    throw SessionError(answer.unsupported ? Kind::unsupported : Kind::refused,
                       safe_line(answer.error, max_refusal_size));
  }
  return answer;
}

void Conversation::receive_hello(Clock::time_point deadline) {
  while (!received_.holds_hello()) wait(deadline);
  hello_ = parse_hello(received_.header(), received_.payload());
  received_.take_frame();
  const std::string other = difference(*hello_, expected_);
  if (!other.empty()) throw SessionError(Kind::other_program, other);
}

void Conversation::wait(Clock::time_point deadline) {
  if (Clock::now() >= deadline) {
    throw SessionError(Kind::timed_out, "no answer in time:" + progress());
  }
  if (on_wait_) on_wait_();
  const bool ended = program_.has_ended();
  const int ready = exchange(milliseconds_until(deadline));
  // Asked before poll(): anything an ended program wrote would have been ready.
  const bool nothing_comes = ready == 0 && ended;
  if (nothing_comes || (!listener_ && !program_.output.is_open())) report_end();
}

// Returns how many descriptors were ready.
int Conversation::exchange(int milliseconds) {
  std::array<pollfd, 4> ends = {
      pollfd{first_unsent() != nullptr ? program_.input.number() : -1, POLLOUT, 0},
      pollfd{program_.output.number(), POLLIN, 0}, pollfd{program_.errors.number(), POLLIN, 0},
      pollfd{listener_ ? listener_->number() : -1, POLLIN, 0}};
  const int ready = ::poll(ends.data(), ends.size(), milliseconds);
  if (ends[3].revents != 0) accept();
  if (ends[2].revents != 0) program_.drain_errors();
  // Receiving comes first: what has already arrived cannot answer what is not sent yet.
  if (ends[1].revents != 0) read_some();
  if (ends[0].revents != 0) write_some();
  return ready;
}

void Conversation::accept() {
  Descriptor connection = listener_->accept();
  if (!connection.is_open()) return;
  program_.input = duplicate(connection);
  program_.output = std::move(connection);
  listener_.reset();
}

void Conversation::write_some() {
  PendingRequest& asked = *first_unsent();
  if (asked.sent == 0) asked.sent_at = Clock::now();
  const std::string_view rest = std::string_view(asked.bytes).substr(asked.sent);
  const ssize_t count = ::write(program_.input.number(), rest.data(), rest.size());
  // A program that closed its input may still refuse, or show by its exit status what happened.
  if (count < 0 && errno != EAGAIN && errno != EINTR) program_.input.close();
  if (count > 0) asked.sent += static_cast<std::size_t>(count);
  if (asked.sent < asked.size) return;
  asked.received_before = received_.total();
  asked.bytes = {};
}

void Conversation::read_some() {
  std::array<char, 65536> bytes;
  const ssize_t count = ::read(program_.output.number(), bytes.data(), bytes.size());
  if (count > 0) {
    received_.add({bytes.data(), static_cast<std::size_t>(count)});
  } else if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
    program_.output.close();  // earlier bytes still count
  }
}

PendingRequest* Conversation::first_unsent() {
  const auto found = std::find_if(asked_.begin(), asked_.end(), [](const PendingRequest& asked) {
    return asked.sent < asked.size;
  });
  return found == asked_.end() ? nullptr : &*found;
}

std::string Conversation::progress() const {
  if (!received_.is_empty()) return received_.progress(hello_ ? "answer" : "hello");
  if (!hello_) return " before its hello";
  const PendingRequest& asked = asked_.front();
  if (asked.sent == asked.size) return " before it answered";
  return fmt::format(" after {} of {} bytes of the request", asked.sent, asked.size);
}

void Conversation::report_end() {
  const bool closed = !program_.has_ended();
  const std::string ending = program_.stop(Clock::now() + time_to_end);
  const bool kept_running = closed && ending == "was stopped";
  std::string what = (kept_running ? "closed its output and kept running" : ending) + progress();
  const std::string said = safe_line(most_relevant_line(program_.diagnostics()));
  if (expected_.ranks.value_or(1) > 1 && !said.empty()) {
    what = fmt::format("{} ({})", said, what);  // one of several processes names itself
  } else if (!hello_ && !said.empty()) {
    what += ": " + said;  // a program that cannot start says why
  }
  throw SessionError(Kind::crashed, what);
}

}  // namespace nbody::protocol
