#pragma once

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

// The simulator program under test, and how to ask it.
class Subject {
 public:
  Subject(const Program& program, const Tolerance& tolerance, double timeout_s);

  // Asks the program; throws SessionError. After one request without an answer in time, or ten in a
  // row without one, it is given up: every later call throws at once.
  Answer ask(const Request& request);
  bool is_given_up() const { return given_up_; }
  // For what it says of itself, seconds of the last answer, how the program ends, and its memory.
  Session& session() { return session_; }
  // The program for double of the same implementation; null when there is none. Perhaps it is only
  // built when it is first asked for.
  Subject* in_double();
  std::function<bool()> builds_double = [] { return true; };

  const Tolerance& tolerance() const { return tolerance_; }
  Precision precision() const { return program_.precision; }
  // Number of processes, 1 for most programs; and the same program with another number, or with
  // another number of threads in a block of its kernels: 0 is as usual.
  unsigned ranks() const { return has_ranks() ? program_.ranks : 1; }
  bool has_ranks() const { return Launch{program_.launcher}.has_ranks(); }
  std::unique_ptr<Subject> started_with(unsigned ranks, unsigned block) const;
  bool holds_sums() const { return program_.holds_sums; }
  double timeout_s() const { return timeout_s_; }

 private:
  Program program_;
  Session session_;
  const Tolerance& tolerance_;
  double timeout_s_;
  bool given_up_ = false;
  int faults_ = 0;  // in a row
  bool looked_for_double_ = false;
  std::unique_ptr<Subject> in_double_;
};

// Fills a row for a request that got no answer.
void note_fault(Row& row, const SessionError& fault, const Subject& subject);

}  // namespace nbody::check
