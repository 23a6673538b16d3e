#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "check/row.hpp"
#include "check/tolerance.hpp"
#include "session/session.hpp"

namespace nbody::check {

// A program under test, and how it is started.
struct Program {
  std::string file = {};
  std::string double_file = {};             // of the same implementation in double; empty: none
  std::vector<std::string> arguments = {};  // after --serve, always
  std::vector<std::string> launcher = {};   // words before the path, with RANKS and SOCKET
  unsigned ranks = 1;                       // processes that the launcher starts
  std::vector<std::string> hello = {};  // part, name and instruction set that it must say; or none
  bool holds_sums = false;              // it promises float sums that hold at any N
  Precision precision = Precision::single_precision;
};

// Why no more requests are sent.
enum class GivenUp { no, never_answers, always_dies };

// The simulator program under test, and how to ask it.
class Subject {
 public:
  Subject(const Program& program, const Tolerance& tolerance, double timeout_s);

  // Asks the program; throws SessionError. After one request without an answer in time, or ten in a
  // row that end it, every later call throws at once.
  Answer ask(const Request& request);
  // For what it says of itself, seconds of the last answer, how the program ends, and its memory.
  Session& session() { return session_; }
  // The program for double of the same implementation; null when there is none. Perhaps it is only
  // built when it is first asked for.
  Subject* in_double();
  std::function<bool()> builds_double = [] { return true; };

  const Tolerance& tolerance() const { return tolerance_; }
  Precision precision() const { return precision_; }
  // Number of processes, 1 for most programs; and the same program with another number, or with
  // another number of threads in a block of its kernels: 0 is as usual.
  unsigned ranks() const { return has_ranks() ? program_.ranks : 1; }
  bool has_ranks() const { return Launch{program_.launcher}.has_ranks(); }
  std::unique_ptr<Subject> started_with(unsigned ranks, unsigned block) const;
  bool holds_sums() const { return program_.holds_sums; }
  GivenUp given_up() const { return given_up_; }
  // Deaths in a row, too: with another number of threads in a block it is another subject.
  void give_up_as(const Subject& other) {
    given_up_ = other.given_up_;
    deaths_ = other.deaths_;
  }
  double timeout_s() const { return timeout_s_; }
  // Commands that build the program with sanitizers and run it as it was last asked, to locate a
  // crash.
  std::string debug_commands() const;

  // Called before each request, and again every ten seconds until it is answered.
  std::function<void(const Request&, int waited_s)> on_ask = [](const Request&, int) {};

 private:
  void tell_waiting();
  Program program_;
  Session session_;
  Precision precision_;
  const Tolerance& tolerance_;
  double timeout_s_;
  GivenUp given_up_ = GivenUp::no;
  int deaths_ = 0;                  // in a row
  const Request* asked_ = nullptr;  // that is waited for
  std::string asked_options_;
  std::chrono::steady_clock::time_point next_word_;
  int waited_s_ = 0;
  bool looked_for_double_ = false;
  std::unique_ptr<Subject> in_double_;
};

// Fills a row for a request that got no answer, or that is not sent any more.
void note_fault(Row& row, const SessionError& fault, const Subject& subject);
void note_given_up(Row& row, const Subject& subject);

// Does the program say that it cannot do this at all? It need not have kick(), drift(), a jerk or
// every integrator (docs/protocol.md).
bool is_unsupported(const SessionError& fault);

}  // namespace nbody::check
