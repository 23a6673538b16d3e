#include "check/evidence.hpp"

// What the size of the errors tells when no mistake explains them.
namespace nbody::check {

// Forces only: where few bodies fail, does one lack as much as half of a pull of average size?
std::string about_little(const std::vector<const Failure*>& failures, const Rows& rows) {
  constexpr double little = 3e-2;
  const std::size_t fewest = failures.front()->test->n();
  for (const Failure* failure : failures) {
    const std::size_t n = failure->test->n();
    const double error = rows[failure->row].error;
    if (failure->test->group != Group::forces || !(error < little)) return "";
    if (n < 2 * fewest && 2 * error * static_cast<double>(n) >= 1) return "";
  }
  return "nearly right: is what is far away taken together, as in a tree, or a root estimated with "
         "too few steps?";
}

std::string about_digits(const std::vector<const Failure*>& failures,
                         const std::vector<const Case*>& passed, const Rows& rows) {
  constexpr double digits = 2e-3;
  std::size_t of_two_or_three = 0;
  for (const Failure* failure : failures) {
    if (failure->test->group != Group::forces) return "";
    if (failure->test->n() > 3) continue;
    if (!(rows[failure->row].error < digits)) return "";
    ++of_two_or_three;
  }
  if (of_two_or_three < 3 || failures.size() < 3 * passed.size()) return "";
  return "right to about 3 digits with two or three bodies, with many hardly at all: are squared "
         "distances made of numbers with 11 bits (half precision, TF32)?";
}

}  // namespace nbody::check
