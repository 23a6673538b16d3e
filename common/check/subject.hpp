#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "check/manifest.hpp"
#include "check/row.hpp"
#include "check/tolerance.hpp"
#include "protocol/session.hpp"

namespace nbody::check {

// There should be a program for double, but it does not compile.
struct NotBuilt {};

// The simulator program under test, and how to ask it.
class Subject {
 public:
  Subject(const ProgramEntry& program, const Tolerance& tolerance, double timeout_s);

  protocol::Request request_for(const Scene& scene) const;
  // Asks the program; throws SessionError. After one request without an answer in time, every later
  // call throws at once.
  protocol::Answer ask(const protocol::Request& request);
  Vectors<double> accelerations(const Scene& scene);
  // Seconds of the last answer; how the program ends, and its memory: as in a Session.
  std::optional<protocol::Hello> hello() const { return session_.hello(); }
  double answer_seconds() const { return session_.answer_seconds(); }
  std::string finish(double timeout_s) { return session_.finish(timeout_s); }
  std::size_t memory() const { return session_.memory(); }
  // The program for double of the same implementation; null when there is none. Found, and perhaps
  // built, when it is first asked for. Throws NotBuilt, once.
  Subject* in_double();
  std::function<std::optional<ProgramEntry>()> find_double = [] { return std::nullopt; };

  const Tolerance& tolerance() const { return tolerance_; }
  protocol::Precision precision() const { return precision_; }
  // Number of processes, 1 for most programs; and the same program with another number.
  unsigned ranks() const { return program_.launcher.has_ranks() ? program_.launcher.ranks : 1; }
  bool has_ranks() const { return program_.launcher.has_ranks(); }
  Subject with_ranks(unsigned ranks) const;
  bool holds_sums() const { return program_.holds_sums; }
  void give_up_like(const Subject& other) { given_up_ = other.given_up_; }
  double timeout_s() const { return timeout_s_; }
  // Commands that build the program with sanitizers and run it, to locate a crash.
  std::string debug_commands(std::size_t n) const;

  // Called before each request.
  std::function<void(const protocol::Request&)> on_ask = [](const protocol::Request&) {};

 private:
  void tell_waiting(const protocol::Request& request, int seconds) const;
  ProgramEntry program_;
  protocol::Session session_;
  protocol::Precision precision_;
  const Tolerance& tolerance_;
  double timeout_s_;
  const char* given_up_ = nullptr;  // why no more requests are sent
  int deaths_ = 0;                  // in a row
  bool looked_for_double_ = false;
  std::unique_ptr<Subject> in_double_;
};

// Fills a row for a request that got no answer.
void note_fault(Row& row, const protocol::SessionError& fault, const Subject& subject);

}  // namespace nbody::check
