#include "protocol/session.hpp"

#include <fmt/core.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <sstream>
#include <system_error>
#include <utility>

#include "protocol/child_process.hpp"
#include "protocol/require.hpp"
#include "protocol/unix_socket.hpp"

namespace nbody::protocol {
namespace {

using Kind = SessionError::Kind;

// A program that has lost its connection should end by itself within this time.
constexpr auto time_to_leave = std::chrono::seconds(1);
// How long a program that closed its connection may take to end, for example for a core dump.
constexpr auto time_to_end = std::chrono::seconds(2);

Clock::time_point after(double seconds) {
  constexpr double longest = 1e8;  // three years: an infinite timeout must not overflow
  const double bounded = seconds > 0 ? std::min(seconds, longest) : 0;
  return Clock::now() +
         std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(bounded));
}

int milliseconds_until(Clock::time_point deadline) {
  // Short, so that the end of a program is noticed even while its own children hold the socket.
  constexpr std::chrono::milliseconds longest(100);
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
  return static_cast<int>(std::clamp(left, std::chrono::milliseconds(0), longest).count());
}

// Writing to a program that has ended must be an error here, not the end of this process.
void ignore_broken_pipes() {
  struct sigaction current {};
  ::sigaction(SIGPIPE, nullptr, &current);
  if (current.sa_handler == SIG_DFL) std::signal(SIGPIPE, SIG_IGN);
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

void require_vectors(const char* what, bool sent, bool asked_for) {
  require(!sent || asked_for, "sent {} that were not asked for", what);
  require(sent || !asked_for, "sent no {} though they were asked for", what);
}

}  // namespace

Session::Session(std::filesystem::path program, std::vector<std::string> arguments,
                 SessionOptions options)
    : program_(std::move(program)), arguments_(std::move(arguments)), options_(std::move(options)) {
  arguments_.insert(arguments_.begin(), "--serve");
  if (options_.launcher.has_ranks()) options_.expected.ranks = options_.launcher.ranks;
  ignore_broken_pipes();
}

Session::~Session() {
  resume();  // so that it can leave by itself
  stop(true);
}

Answer Session::ask(const Request& request, double timeout_s) {
  const Time deadline = after(timeout_s);
  try {
    if (!child_) start();
    if (!hello_) receive_hello(deadline);
    return exchange(request, deadline);
  } catch (const SessionError& fault) {
    if (fault.kind != Kind::unsupported) stop(fault.kind == Kind::refused);
    throw;
  } catch (const ProtocolError& fault) {
    stop(false);
    throw SessionError(Kind::malformed_answer, fault.what());
  } catch (...) {
    stop(false);
    throw;
  }
}

void Session::start() {
  diagnostics_.clear();
  const std::string program = "cannot start " + safe_line(program_.string());
  try {
    listener_ = std::make_unique<Listener>();
  } catch (const std::system_error& fault) {
    throw SessionError(Kind::not_started, fmt::format("{}: {}", program, fault.what()));
  }
  std::vector<std::string> words = options_.launcher.filled(listener_->path());
  words.push_back(program_.string());
  words.insert(words.end(), arguments_.begin(), arguments_.end());
  try {
    child_ = std::make_unique<ChildProcess>(std::move(words), listener_->path());
  } catch (const std::system_error& fault) {
    listener_.reset();
    throw SessionError(Kind::not_started, fmt::format("{}: {}", program, fault.code().message()));
  }
  listens_ = true;
}

void Session::receive_hello(Time deadline) {
  while (!received_header()) wait(deadline);
  Hello hello = parse_hello(*received_header());
  const std::string other = difference(hello, options_.expected);
  if (!other.empty()) throw SessionError(Kind::other_program, other);
  require(received_header()->size() + 1 == received_.size(), "it wrote more after its hello");
  received_.clear();
  hello_ = std::move(hello);
}

Answer Session::exchange(const Request& request, Time deadline) {
  const AnswerShape wanted = expected_shape(request);
  receive_some();
  require(received_.empty(), "answered before it was asked");
  sending_ = format_request(request, ++last_id_);
  sent_ = header_size_ = columns_size_ = 0;
  came_early_ = false;
  while (!received_header()) wait(deadline);

  AnswerHeader header = parse_answer_header(*received_header());
  inspect(header, wanted);
  header_size_ = received_header()->size() + 1;
  columns_size_ = header.answer.refused == Refusal::none ? columns_size(wanted) : 0;
  // More than this only when it comes: what was announced need not.
  constexpr std::size_t believed = std::size_t{1} << 26;
  received_.reserve(header_size_ + std::min(columns_size_, believed));
  while (received_.size() < expected_size()) wait(deadline);
  answer_seconds_ = std::chrono::duration<double>(Clock::now() - sent_at_).count();
  child_->drain();

  require(received_.size() == expected_size(), "it wrote more after its answer");
  Answer answer = parse_answer(std::move(header), std::string_view(received_).substr(header_size_));
  received_ = sending_ = {};  // which also frees the memory
  if (answer.refused != Refusal::none) {
    const bool unsupported = answer.refused == Refusal::unsupported;
    throw SessionError(unsupported ? Kind::unsupported : Kind::refused,
                       safe_line(answer.error, max_refusal_size));
  }
  return answer;
}

// The header, without the end of its line, as soon as all of it is there.
std::optional<std::string_view> Session::received_header() const {
  const std::string_view received = received_;
  const std::size_t end = received.substr(0, max_header_size).find('\n');
  if (end != received.npos) return received.substr(0, end);
  require(received.empty() || received[0] == '{', "what it sent is not a header in JSON: \"{}\"",
          safe_line(received, 60));
  require(received.size() < max_header_size, "the header is longer than {} bytes: \"{}\"",
          max_header_size, safe_line(received, 60));
  return std::nullopt;
}

void Session::inspect(const AnswerHeader& header, const AnswerShape& wanted) const {
  const std::uint64_t id = header.answer.id;
  require(id == last_id_, "answered request {} when asked {}{}", id, last_id_,
          id < last_id_ ? ": an answer to an earlier request" : "");
  // This ends the program, so it may come early, for a request with a bad header.
  if (header.answer.refused == Refusal::failed) return;
  require(sent_ == sending_.size() && !came_early_, "answered before it had the whole request");
  if (header.answer.refused != Refusal::none) return;
  require(header.shape.bodies == wanted.bodies, "answered for {} bodies when asked for {}",
          header.shape.bodies, wanted.bodies);
  require(header.shape.states == wanted.states, "answered with {} states when asked for {}",
          header.shape.states, wanted.states);
  require_vectors("accelerations", header.shape.accelerations, wanted.accelerations);
  require_vectors("jerks", header.shape.jerk, wanted.jerk);
}

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
  throw SessionError(Kind::crashed, what);
}

std::string Session::end_conversation(Time deadline) {
  listener_.reset();
  connection_.close();
  return child_->stop(deadline);
}

void Session::stop(bool patiently) {
  if (!child_) return;
  end_conversation(patiently ? Clock::now() + time_to_leave : Clock::now());
  diagnostics_ = child_->diagnostics();
  child_.reset();
  hello_.reset();
  received_ = sending_ = {};
  sent_ = 0;
}

std::string Session::finish(double timeout_s) {
  if (!child_) return "";
  const std::string ending = end_conversation(after(timeout_s));
  stop(false);
  return ending;
}

void Session::pause() const {
  if (child_) child_->pause();
}

void Session::resume() const {
  if (child_) child_->resume();
}

std::size_t Session::memory() const { return child_ ? child_->memory() : 0; }

double Session::waited_seconds() const { return child_ ? child_->waited_seconds() : 0; }

double Session::cpu_seconds() const { return child_ ? child_->cpu_seconds() : 0; }

std::string Session::diagnostics() const { return child_ ? child_->diagnostics() : diagnostics_; }

}  // namespace nbody::protocol
