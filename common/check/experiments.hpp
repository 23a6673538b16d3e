#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "check/diagnosis.hpp"

namespace nbody::check {

// What a program shows if it is asked again: each returns a cause that is known, or none.

// A diagnosis asks on for so long, and no longer.
class Patience {
 public:
  bool is_over() const { return std::chrono::steady_clock::now() > end_; }

 private:
  std::chrono::steady_clock::time_point end_ =
      std::chrono::steady_clock::now() + std::chrono::seconds(5);
};

// The answer to an earlier request, or what was left of it in memory.
Cause about_earlier_requests(const Record& record, const std::vector<const Failure*>& sample);

// Does its answer change by itself, in a new program, or with the number of threads? If by itself,
// the row says so, too.
Cause about_repeats(Subject& subject, const Record& record, const Failure& failure,
                    const std::vector<const Failure*>& failures, const Patience& patience,
                    Row& row);

// Right on one rank?
Cause about_one_rank(const Subject& subject, const std::vector<const Failure*>& failures);

// Right in double? Then float has too few digits, or too small a range, for something.
Cause about_float(Subject& subject, const Failure& failure, double error);

}  // namespace nbody::check
