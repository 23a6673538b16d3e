#pragma once

#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "session/child_process.hpp"
#include "simulator/serve.hpp"

namespace nbody {

// Words in front of a program's path, the first one also a path: of a sandbox, or of a launcher for
// several processes: "/usr/bin/mpiexec -n RANKS", where RANKS stands for their number. SOCKET
// stands for the socket's path, which a sandbox must let in.
struct Launch {
  std::vector<std::string> words = {};
  unsigned ranks = 1;

  bool has_ranks() const;  // then so many must say hello
};

struct SessionOptions {
  // What the program's hello must say, where it is given.
  std::optional<Precision> precision = {};
  std::vector<std::string> hello = {};  // part, name and instruction set
  Launch launcher = {};
  // Called at least every tenth of a second while an answer is waited for.
  std::function<void()> on_wait = {};
};

// The simulator program did not give an answer.
class SessionError : public std::runtime_error {
 public:
  enum class Kind {
    died,       // or could not be started
    late,       // no answer before the deadline
    malformed,  // what came is not an answer to the request, or from another program
    refused,
    unsupported  // the program lacks what was asked for, and can be asked on
  };
  SessionError(Kind kind, const std::string& message, int signal = 0)
      : std::runtime_error(message), kind(kind), signal(signal) {}
  Kind kind;
  int signal;  // that killed the program
};

struct Listener;

// A conversation with one simulator program that runs as a child process. Use it only from one
// thread: the program dies with the thread that started it, so a killed checker leaves nothing
// behind. The constructor makes this process keep the memory that it frees, and forbids other
// programs of this user to look into it.
class Session {
 public:
  // `arguments` come after `--serve`.
  explicit Session(std::filesystem::path program, std::vector<std::string> arguments = {},
                   SessionOptions options = {});
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Sends the request and waits for the answer, at most `timeout_s` seconds. Starts the program
  // first if it is not running. After a SessionError, unless the program finds the request
  // unsupported, it is dead and the next call starts it anew.
  Answer ask(const Request& request, double timeout_s);

  // Ends the requests. Returns how the program ends within `timeout_s`, for example "exited with
  // status 0"; "was stopped" if it did not end. Empty: it was not running.
  std::string finish(double timeout_s) { return stop(after(timeout_s)); }

  // Between two requests: stops it and all that it started, so that none of its threads works or
  // spins while another program is timed. Call resume() before the next request.
  void pause() const { signal_if_running(SIGSTOP); }
  void resume() const { signal_if_running(SIGCONT); }
  // Zeros if it is not running.
  ProcessNumbers numbers() const {
    return child_ ? numbers_of(child_->number()) : ProcessNumbers{};
  }

  // Wall-clock seconds from the first byte of the last request to the last byte of its answer: no
  // work can start before the clock, and half an answer does not stop it.
  double answer_seconds() const { return answer_seconds_; }
  // Did the program ever say hello, even if it died later?
  bool has_greeted() const { return has_greeted_; }
  // What the program printed: the first 64 KiB, raw.
  std::string diagnostics() const { return child_ ? child_->printed() : diagnostics_; }

 private:
  using Time = Clock::time_point;

  static Time after(double seconds) {
    return Clock::now() +
           std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }
  void signal_if_running(int signal) const {
    if (child_) signal_all(child_->number(), signal);
  }
  void start();
  void receive_hello(Time deadline);
  Answer exchange(const Request& request, Time deadline);
  void send(std::string_view message, Time deadline);
  std::string_view received_header(Time deadline);
  void receive_some(Time deadline);
  void wait_for(int descriptor, short events, Time deadline);

  void hang_up();
  std::string progress() const;
  [[noreturn]] void report_end();
  std::string stop(Time deadline);

  std::filesystem::path program_;
  std::vector<std::string> arguments_;
  SessionOptions options_;
  std::unique_ptr<ChildProcess> child_;  // null: not running
  std::unique_ptr<Listener> listener_;   // null: connected
  int connection_ = -1;                  // none
  bool is_greeted_ = false;              // by the program that runs
  bool has_greeted_ = false;
  std::uint64_t last_id_ = 0;
  double answer_seconds_ = 0;
  std::string diagnostics_;  // of the program that ran last
  std::string received_;     // a message, from its start
};

}  // namespace nbody
