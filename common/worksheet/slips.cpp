#include "worksheet/slips.hpp"

#include <cmath>

#include "worksheet/judge.hpp"

namespace nbody {
namespace {

Made times(double factor) {
  return [factor](double truth, double) { return factor * truth; };
}
double times_n(double truth, double n) { return truth * n; }
double over_n(double truth, double n) { return truth / n; }
double over_n2(double truth, double n) { return truth / (n * n); }
double upside_down(double truth, double) { return 1 / truth; }
// 4 / 3 in C++.
double cut(double truth, double) { return std::floor(truth); }
// 7 / 2 * n * n in C++. Truths have quarters of n^2, and smaller terms.
double factor_cut(double truth, double n) {
  return std::floor(std::round(4 * truth / (n * n)) / 4) * n * n;
}

const char* const one_interaction = "that is one interaction's: how many are there with n bodies?";
const char* const one_body = "n times too few: is it once for each body i, or for every j?";
const char* const every_j = "n times too many: is it for every j, or once for each body i?";
const char* const half_the_pairs =
    "half of it: does the code take each pair once, or i with j and j with i?";
const char* const twice_the_pairs =
    "twice as many: does the code take i with j and j with i, or each pair once?";
const char* const whole_numbers = "C++ divides whole numbers: 7 / 2 is 3 there; write 7.0 / 2";
const char* const other_way = "the other way round: what is divided by what?";
const char* const of_float = "8 bytes each? a float has 4";

bool explains(const KnownSlip& slip, const AtBothSizes& answer, const AtBothSizes& truth,
              double tolerance) {
  const double n = judged_sizes[0], m = judged_sizes[1];
  const double first = slip.made(truth.first, n), second = slip.made(truth.second, m);
  // An answer of 0 betrays nothing.
  if (first == 0 || !std::isfinite(first) || !std::isfinite(second)) return false;
  // matches() forgives 1e-9, which is more than some slips leave.
  return std::abs(answer.first - first) <= tolerance * std::abs(first) &&
         std::abs(answer.second - second) <= tolerance * std::abs(second);
}

}  // namespace

const std::vector<KnownSlip>& known_slips() {
  static const std::vector<KnownSlip> slips = {
      {Unit::operations, over_n2, one_interaction},
      {Unit::operations, over_n, one_body},
      {Unit::operations, times(0.5), half_the_pairs},
      {Unit::operations, times(2), twice_the_pairs},
      {Unit::operations, factor_cut, whole_numbers},
      {Unit::fma, over_n2, one_interaction},
      {Unit::fma, times(2), "an fma is two flops, but here it is one fma"},
      {Unit::fma, factor_cut, whole_numbers},
      {Unit::numbers, times(4), "bytes of float? numbers are asked, whatever their size"},
      {Unit::numbers, times(8), "bytes of double? numbers are asked, whatever their size"},
      {Unit::numbers, over_n2, one_interaction},
      {Unit::numbers, over_n, one_body},
      {Unit::numbers, times_n, every_j},
      {Unit::numbers, times(0.5), half_the_pairs},
      {Unit::numbers, times(2), twice_the_pairs},
      {Unit::numbers, factor_cut, whole_numbers},
      {Unit::bytes, times(1.0 / 4), "numbers? bytes are asked, and a float has 4"},
      {Unit::bytes, times(1.0 / 40), "bodies? bytes are asked, and a body has ten floats"},
      {Unit::bytes, times(0.5), "half of it: which functions copy the bodies?"},
      {Unit::bytes, over_n, "that is one body's: write an expression of n"},
      {Unit::flop_per_byte, times(4), "flops for each number? a float has 4 bytes"},
      {Unit::flop_per_byte, times(1.0 / 4), "the 4 bytes of a float are in it twice"},
      {Unit::flop_per_byte, times(0.5), of_float},
      {Unit::flop_per_byte, upside_down, other_way},
      {Unit::flop_per_byte, cut, whole_numbers},
      {Unit::gflops, times(2), "twice as much: with fma? naive has none"},
      {Unit::gflops, times(1e3), "Mflop/s? Gflop/s are asked"},
      {Unit::gflops, times(1e-3), "Tflop/s? Gflop/s are asked"},
      {Unit::gflops, times(1e9), "flop/s? Gflop/s are asked"},
      {Unit::tflops, times(0.5), "half of it: an fma is two flops"},
      {Unit::tflops, times(1e3), "Gflop/s? Tflop/s are asked"},
      {Unit::tflops, times(1e12), "flop/s? Tflop/s are asked"},
      {Unit::percent, times(1.0 / 100), "a share of 1? percent are asked: times 100"},
      {Unit::percent, times(100), "100 times too much: was it in percent already?"},
      {Unit::share, times(100), "percent? a share of 1 is asked"},
      {Unit::ratio, upside_down, other_way},
      {Unit::ratio, times(100), "percent? how many times is asked"},
      {Unit::ratio, cut, whole_numbers},
      {Unit::a_cycle, upside_down, "cycles for each? how many a cycle is asked"},
      {Unit::lanes_of_float, times(4), "bytes of a register? a float has 4 of them"},
      {Unit::lanes_of_float, times(32), "bits of a register? a float has 32 of them"},
      {Unit::lanes_of_float, times(0.5), of_float},
      {Unit::lanes_of_double, times(8), "bytes of a register? a double has 8 of them"},
      {Unit::lanes_of_double, times(64), "bits of a register? a double has 64 of them"},
      {Unit::lanes_of_double, times(2), "4 bytes each? a double has 8"},
  };
  return slips;
}

std::string slip_in(Unit unit, const AtBothSizes& answer, const AtBothSizes& truth,
                    double tolerance) {
  if (matches(answer.first, truth.first, tolerance) &&
      matches(answer.second, truth.second, tolerance)) {
    return "";
  }
  for (const KnownSlip& slip : known_slips()) {
    if (slip.unit == unit && explains(slip, answer, truth, tolerance)) return slip.sentence;
  }
  return "";
}

}  // namespace nbody
