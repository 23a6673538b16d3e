#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "check/row.hpp"
#include "check/tolerance.hpp"
#include "protocol/session.hpp"

namespace nbody {

// The simulator program under test, and how it is asked.
class Subject {
 public:
  Subject(const std::string& program, Precision precision, const Tolerance& tolerance,
          double timeout_s);

  Request request_for(const Scene& scene) const;
  // What the program answers; throws SessionError. After a request without an answer in time it is
  // not asked again: every later call throws at once.
  Answer ask(const Request& request);
  // The same program asked in the other precision; empty when it gives no answer.
  std::optional<Answer> ask_in_double(Request request);

  const Tolerance& tolerance() const { return tolerance_; }
  Precision precision() const { return precision_; }
  double timeout_s() const { return timeout_s_; }
  // Builds the same program with sanitizers and runs it: what shows the place of a crash.
  std::string debug_commands(std::size_t n) const;

  // Called before each request.
  std::function<void(const Request&)> on_ask = [](const Request&) {};

 private:
  std::filesystem::path program_;
  Session session_;
  Precision precision_;
  const Tolerance& tolerance_;
  double timeout_s_;
  bool given_up_ = false;
};

// Fills a row for a request that got no answer.
void note_fault(Row& row, const SessionError& fault, const Subject& subject);

}  // namespace nbody
