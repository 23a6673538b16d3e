// The part of Session that waits for the program, and says how it ended.
#include <fmt/core.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <sstream>

#include "protocol/child_process.hpp"
#include "protocol/session.hpp"
#include "protocol/unix_socket.hpp"

namespace nbody::protocol {
namespace {

using Kind = SessionError::Kind;

// How long a program that closed its connection may take to end, for example for a core dump.
constexpr auto time_to_end = std::chrono::seconds(2);

int milliseconds_until(Clock::time_point deadline) {
  // Short, so that the end of a program is noticed even while its own children hold the socket.
  constexpr std::chrono::milliseconds longest(100);
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
  return static_cast<int>(std::clamp(left, std::chrono::milliseconds(0), longest).count());
}

bool is_passing(int error) { return error == EAGAIN || error == EINTR; }

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

}  // namespace

void Session::wait(Time deadline) {
  if (Clock::now() >= deadline) {
    throw SessionError(Kind::timed_out, "no answer in time:" + progress());
  }
  if (options_.on_wait) options_.on_wait();
  const bool ended = child_->has_ended();
  const int ready = transfer(milliseconds_until(deadline));
  // Asked before poll(): anything an ended program wrote would have been ready.
  const bool nothing_comes = ready == 0 && ended;
  if (nothing_comes || (!listener_ && !connection_.is_open())) report_end();
}

// Returns how many descriptors were ready.
int Session::transfer(int milliseconds) {
  const bool has_more = listens_ && sent_ < sending_.size();
  const short events = static_cast<short>(has_more ? POLLIN | POLLOUT : POLLIN);
  std::array<pollfd, 3> ends = {pollfd{connection_.number(), events, 0},
                                pollfd{listener_ ? listener_->number() : -1, POLLIN, 0},
                                pollfd{child_->printed(), POLLIN, 0}};
  const int ready = ::poll(ends.data(), ends.size(), milliseconds);
  if (ends[2].revents != 0) child_->drain();
  if (ends[1].revents != 0) {
    connection_ = listener_->accept();
    if (connection_.is_open()) listener_.reset();
  }
  // Receiving comes first: what has already arrived cannot answer what is not sent yet.
  if ((ends[0].revents & ~POLLOUT) != 0) receive_some();
  if (!received_.empty() && sent_ < sending_.size()) came_early_ = true;
  if ((ends[0].revents & POLLOUT) != 0) send_some();
  return ready;
}

void Session::send_some() {
  if (sent_ == 0) sent_at_ = Clock::now();
  const ssize_t count =
      ::write(connection_.number(), sending_.data() + sent_, sending_.size() - sent_);
  // A program that listens no more may still refuse, or show by its exit status what happened.
  if (count < 0 && !is_passing(errno)) listens_ = false;
  if (count > 0) sent_ += static_cast<std::size_t>(count);
}

void Session::receive_some() {
  std::array<char, 65536> bytes;
  const ssize_t count = ::read(connection_.number(), bytes.data(), bytes.size());
  if (count > 0) {
    received_.append(bytes.data(), static_cast<std::size_t>(count));
  } else if (count == 0 || !is_passing(errno)) {
    connection_.close();  // earlier bytes still count
  }
}

std::string Session::progress() const {
  if (!hello_ && received_.empty()) return " before its hello";
  if (!hello_) return fmt::format(" after {} bytes of its hello", received_.size());
  if (columns_size_ > 0) {
    return fmt::format(" after {} of {} bytes of its answer", received_.size(), expected_size());
  }
  if (!received_.empty()) return fmt::format(" after {} bytes of its answer", received_.size());
  if (sent_ == 0) return " before it was asked";
  if (sent_ == sending_.size()) return " before it answered";
  return fmt::format(" after {} of {} bytes of the request", sent_, sending_.size());
}

void Session::report_end() {
  const bool closed = !child_->has_ended();
  const std::string ending = end_conversation(Clock::now() + time_to_end);
  const bool kept_running = closed && ending == "was stopped";
  std::string what =
      (kept_running ? "closed its connection and kept running" : ending) + progress();
  const std::string said = safe_line(most_relevant_line(child_->diagnostics()));
  if (options_.expected.ranks.value_or(1) > 1 && !said.empty()) {
    what = fmt::format("{} ({})", said, what);  // one of several processes names itself
  } else if (!hello_ && !said.empty()) {
    what += ": " + said;  // a program that cannot start says why
  }
  SessionError fault(Kind::crashed, what);
  fault.signal = child_->signal();
  throw fault;
}

}  // namespace nbody::protocol
