#pragma once

#include <cstdint>
#include <string>

namespace nbody::work {

// (a n^2 + b n + c) / denominator in lowest terms: how work grows with the number of bodies.
struct Polynomial {
  std::int64_t a = 0, b = 0, c = 0, denominator = 1;

  // The polynomial with these values at n = step, 2 step, 3 step.
  static Polynomial through(std::int64_t step, std::int64_t first, std::int64_t second,
                            std::int64_t third);

  bool passes_through(std::int64_t n, std::int64_t value) const;
  double at(double n) const;
  std::string text() const;  // "14 n^2 - 3/2 n"; "0"
  bool operator==(const Polynomial&) const = default;
};

}  // namespace nbody::work
