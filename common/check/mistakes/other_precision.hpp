#pragma once

#include <vector>

#include "core/bodies.hpp"
#include "simulator/simulator.hpp"

namespace nbody::check {

// The same numbers in another precision.
template <typename To, typename From>
std::vector<To> in_precision(const std::vector<From>& values) {
  std::vector<To> result;
  result.reserve(values.size());
  for (const From value : values) result.push_back(static_cast<To>(value));
  return result;
}

template <typename To, typename From>
Vectors<To> in_precision(const Vectors<From>& from) {
  return {in_precision<To>(from.x), in_precision<To>(from.y), in_precision<To>(from.z)};
}

template <typename To, typename From>
Bodies<To> in_precision(const Bodies<From>& from) {
  Bodies<To> to;
  for (std::size_t k = 0; k < to.columns().size(); ++k) {
    *to.columns()[k] = in_precision<To>(*from.columns()[k]);
  }
  return to;
}

template <typename To, typename From>
ProblemOf<To> in_precision(const ProblemOf<From>& from) {
  return {in_precision<To>(from.bodies), static_cast<To>(from.G), static_cast<To>(from.softening)};
}

}  // namespace nbody::check
