#include "session/session.hpp"

#include <fmt/core.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <sstream>
#include <system_error>
#include <utility>

namespace nbody {
namespace {

using Kind = SessionError::Kind;

// A program that has lost its connection should end by itself within this time.
constexpr Clock::duration time_to_leave = std::chrono::seconds(2);
// So that the end of a program is noticed even while its own children hold the socket.
constexpr std::chrono::milliseconds longest_sleep(100);

void require(bool holds, const std::string& otherwise) {
  if (!holds) throw ProtocolError(otherwise);
}

// Text of an untrusted program for one line: printable ASCII, not too long.
std::string safe_line(const std::string& text, std::size_t max_size = 200) {
  return printable(text.substr(0, max_size)) + (text.size() > max_size ? "..." : "");
}

// The line of a program's output that tells what went wrong, else the first.
std::string most_relevant_line(const std::string& said) {
  std::string first;
  std::istringstream lines(said);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("rank ") || line.find("rror") != line.npos) return line;
    if (first.empty()) first = line;
  }
  return first;
}

}  // namespace

// Waits for one connection at its own path. Its folder keeps other users out; whoever is shown the
// file by a sandbox, under another user's number, may connect. The file goes with this object.
struct Listener {
  Listener() {
    address_of(path());  // which a long TMPDIR makes too long
    if (::mkdtemp(folder.data()) == nullptr) throw_system_error("cannot make " + folder);
    socket = new_socket(SOCK_NONBLOCK);
    const sockaddr_un address = address_of(path());
    if (::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        ::chmod(path().c_str(), 0666) != 0 || ::listen(socket, 1) != 0) {
      ::close(socket);
      throw_system_error("cannot listen at a socket");
    }
  }
  ~Listener() {
    ::close(socket);
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  std::string path() const { return folder + "/socket"; }

  std::string folder = std::filesystem::temp_directory_path() / "nbody_XXXXXX";
  int socket = -1;
};

static void require_expected(const Hello& hello, const SessionOptions& expected) {
  const auto described = [](const std::vector<std::string>& names, Precision precision) {
    return fmt::format("{}/{} in {}, built for '{}',", names.at(0), names.at(1), name_of(precision),
                       names.at(2));
  };
  const std::vector<std::string> names = {hello.part, hello.name, hello.instruction_set};
  const std::string got = described(names, hello.precision),
                    wanted = described(expected.hello.empty() ? names : expected.hello,
                                       expected.precision.value_or(hello.precision));
  require(got == wanted,
          fmt::format("it is another program: {} where {} was expected", got, wanted));
  require(!expected.launcher.has_ranks() || hello.ranks == expected.launcher.ranks,
          fmt::format("it runs on {} ranks, not on {}", hello.ranks, expected.launcher.ranks));
}

bool Launch::has_ranks() const { return std::ranges::find(words, "RANKS") != words.end(); }

Session::Session(std::filesystem::path program, std::vector<std::string> arguments,
                 SessionOptions options)
    : program_(std::move(program)), arguments_(std::move(arguments)), options_(std::move(options)) {
  arguments_.insert(arguments_.begin(), "--serve");
  keep_memory();
  // The administrator still may look: full isolation needs more. Not in a sanitized build, whose
  // leak check needs access.
#if !defined(__SANITIZE_ADDRESS__)
  ::prctl(PR_SET_DUMPABLE, 0);
#endif
}

Session::~Session() {
  resume();  // so that it can leave by itself
  stop(Clock::now() + time_to_leave);
}

Answer Session::ask(const Request& request, double timeout_s) {
  const Time deadline = after(timeout_s);
  try {
    if (!child_) start();
    if (!is_greeted_) receive_hello(deadline);
    return exchange(request, deadline);
  } catch (const SessionError& fault) {
    // One that refuses can leave by itself.
    const auto patience = fault.kind == Kind::refused ? time_to_leave : Clock::duration(0);
    if (fault.kind != Kind::unsupported) stop(Clock::now() + patience);
    throw;
  } catch (const ProtocolError& fault) {
    stop(Clock::now());
    throw SessionError(Kind::malformed, safe_line(fault.what()));
  } catch (...) {
    stop(Clock::now());
    throw;
  }
}

// A machine without another process, or without room for a socket, is no end of a whole check.
void Session::start() {
  try {
    listener_ = std::make_unique<Listener>();
    std::vector<std::string> words = options_.launcher.words;
    std::ranges::replace(words, "RANKS", std::to_string(options_.launcher.ranks));
    std::ranges::replace(words, "SOCKET", listener_->path());
    words.push_back(program_.string());
    words.insert(words.end(), arguments_.begin(), arguments_.end());
    child_ = std::make_unique<ChildProcess>(std::move(words), listener_->path());
  } catch (const std::exception& fault) {
    listener_.reset();
    throw SessionError(Kind::died, fmt::format("it could not be started: {}", fault.what()));
  }
}

void Session::receive_hello(Time deadline) {
  while (connection_ < 0) {
    wait_for(listener_->socket, POLLIN, deadline);
    connection_ = ::accept4(listener_->socket, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
  }
  listener_.reset();
  const std::string_view line = received_header(deadline);
  require_expected(parse_hello(line), options_);
  require(received_.size() == line.size(), "it wrote more than its hello");
  received_.clear();
  is_greeted_ = has_greeted_ = true;
}

Answer Session::exchange(const Request& request, Time deadline) {
  const std::uint64_t columns = answer_columns_size(request);
  const std::string message = format_request(request, ++last_id_);
  const Time start = Clock::now();
  send(message, deadline);

  const std::string_view line = received_header(deadline);
  const std::size_t header_size = line.size();
  const AnswerHeader header = parse_answer_header(line);
  require(header.request == last_id_,
          fmt::format("it answered request {} when asked {}", header.request, last_id_));
  const std::size_t expected = header_size + (header.refused == Refusal::none ? columns : 0);
  // More than this only when it comes: what is expected need not.
  constexpr std::size_t believed = std::size_t{1} << 26;
  received_.reserve(std::min(expected, header_size + believed));
  while (received_.size() < expected) receive_some(deadline);
  answer_seconds_ = std::chrono::duration<double>(Clock::now() - start).count();

  require(received_.size() == expected, "it wrote more than its answer");
  const std::string answer = std::exchange(received_, {});
  if (header.refused == Refusal::none) {
    return parse_answer(request, std::string_view(answer).substr(header_size));
  }
  throw SessionError(header.refused == Refusal::failed ? Kind::refused : Kind::unsupported,
                     safe_line(header.text, max_refusal_size));
}

void Session::send(std::string_view message, Time deadline) {
  while (!message.empty()) {
    wait_for(connection_, POLLIN | POLLOUT, deadline);
    char byte = 0;
    const ssize_t said = ::recv(connection_, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    require(said <= 0, "it answered before it had the whole request");
    if (said == 0) report_end();  // it has closed its side
    const ssize_t count = ::send(connection_, message.data(), message.size(), MSG_NOSIGNAL);
    if (count < 0 && errno != EAGAIN && errno != EINTR) report_end();
    if (count > 0) message.remove_prefix(static_cast<std::size_t>(count));
  }
}

// With the end of its line. What is no header is seen at once, not at the deadline.
std::string_view Session::received_header(Time deadline) {
  while (true) {
    const std::string_view received = received_;
    const std::size_t end = received.substr(0, max_header_size).find('\n');
    if (end != received.npos) return received.substr(0, end + 1);
    require(received.size() < max_header_size && (received.empty() || received[0] == '{'),
            fmt::format("it sent no line of JSON: {}", received.substr(0, 60)));
    receive_some(deadline);
  }
}

void Session::receive_some(Time deadline) {
  wait_for(connection_, POLLIN, deadline);
  std::array<char, 65536> bytes;
  const ssize_t count = ::read(connection_, bytes.data(), bytes.size());
  if (count > 0) received_.append(bytes.data(), static_cast<std::size_t>(count));
  if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) report_end();
}

void Session::wait_for(int descriptor, short events, Time deadline) {
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) throw SessionError(Kind::late, "no answer in time: " + progress());
    if (options_.on_wait) options_.on_wait();
    const bool ended = child_->has_ended();
    pollfd end{descriptor, events, 0};
    if (::poll(&end, 1, static_cast<int>(std::min(left, longest_sleep).count())) > 0) return;
    // Asked before poll(): anything an ended program wrote would have been ready.
    if (ended) report_end();
  }
}

std::string Session::progress() const {
  if (!is_greeted_) return "before its hello";
  if (received_.empty()) return "before it answered";
  return fmt::format("after {} bytes of its answer", received_.size());
}

void Session::hang_up() {
  if (connection_ >= 0) ::close(connection_);
  connection_ = -1;
}

void Session::report_end() {
  hang_up();
  std::string ending = child_->stop(Clock::now() + time_to_leave);
  if (ending == "was stopped") ending = "closed its connection and kept running";
  std::string what = fmt::format("{} {}", ending, progress());
  const std::string said = safe_line(most_relevant_line(child_->printed()));
  if (options_.launcher.has_ranks() && options_.launcher.ranks > 1 && !said.empty()) {
    what = fmt::format("{} ({})", said, what);  // one of several processes names itself
  } else if (!is_greeted_ && !said.empty()) {
    what += ": " + said;  // a program that cannot start says why
  }
  throw SessionError(Kind::died, what, child_->signal());
}

std::string Session::stop(Time deadline) {
  if (!child_) return "";
  listener_.reset();
  hang_up();
  const std::string ending = child_->stop(deadline);
  diagnostics_ = child_->printed();
  child_.reset();
  is_greeted_ = false;
  received_ = {};
  return ending;
}

}  // namespace nbody
