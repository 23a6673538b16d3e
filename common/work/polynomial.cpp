#include "work/polynomial.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <numeric>

namespace nbody::work {
namespace {

std::string fraction(std::int64_t numerator, std::int64_t denominator) {
  const std::int64_t common = std::gcd(numerator, denominator);
  if (denominator == common) return fmt::format("{}", numerator / common);
  return fmt::format("{}/{}", numerator / common, denominator / common);
}

}  // namespace

// Newton's form: first + (n - h) d1/h + (n - h)(n - 2h) d2/(2 h^2), over 2 h^2.
Polynomial Polynomial::through(std::int64_t step, std::int64_t first, std::int64_t second,
                               std::int64_t third) {
  const std::int64_t h = step, d1 = second - first, d2 = third - 2 * second + first;
  Polynomial result{d2, 2 * h * d1 - 3 * h * d2, 2 * h * h * (first - d1 + d2), 2 * h * h};
  const std::int64_t common =
      std::gcd(std::gcd(result.a, result.b), std::gcd(result.c, result.denominator));
  for (auto* number : {&result.a, &result.b, &result.c, &result.denominator}) *number /= common;
  return result;
}

bool Polynomial::passes_through(std::int64_t n, std::int64_t value) const {
  return (a * n + b) * n + c == value * denominator;
}

double Polynomial::at(double n) const {
  return ((static_cast<double>(a) * n + static_cast<double>(b)) * n + static_cast<double>(c)) /
         static_cast<double>(denominator);
}

std::string Polynomial::text() const {
  std::string text;
  const auto add = [&](std::int64_t numerator, const char* power) {
    if (numerator == 0) return;
    const char* plus = text.empty() ? "" : " + ";
    text += numerator > 0 ? plus : text.empty() ? "-" : " - ";
    const std::string factor = fraction(std::abs(numerator), denominator);
    if (*power == '\0') {
      text += factor;
    } else {
      text += factor == "1" ? power : factor + " " + power;
    }
  };
  add(a, "n^2");
  add(b, "n");
  add(c, "");
  return text.empty() ? "0" : text;
}

}  // namespace nbody::work
