#pragma once

#include <string>

#include "check/error_measure.hpp"
#include "check/row.hpp"
#include "check/tolerance.hpp"

namespace nbody::check {

// Keeps the worst of several judgements: the one with the largest share of its limit.
class Worst {
 public:
  explicit Worst(Row& row) : row_(row) { row_.verdict = Verdict::passed; }

  void note(double error, double limit, const std::string& detail) {
    const double share = error == 0 ? 0 : error / limit;
    if (share <= share_) return;  // NaN is worse than anything
    if (is_nan(share_)) return;
    share_ = share;
    row_.error = error;
    row_.limit = limit;
    row_.detail = detail;
    row_.verdict = judged(error, limit);
  }
  // The first limit is shown if nothing is wrong at all.
  void expect(double limit) {
    if (row_.limit == 0) row_.limit = limit;
  }
  bool failed() const { return row_.verdict == Verdict::failed; }

 private:
  Row& row_;
  double share_ = 0;
};

}  // namespace nbody::check
