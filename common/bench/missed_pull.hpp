#pragma once

#include <cstdint>
#include <vector>

#include "protocol/messages.hpp"

namespace nbody::bench {

// Relative difference between the change of velocity and the one that the forces at start and end
// give by the trapezium rule: the median over the bodies `rows`, which the accelerations belong to.
// 1: nothing moved. Honest ends of a short run stay below 0.1, but 1 in 10 reaches 0.2: so judge
// several. It costs nothing, for any number of bodies. Infinity for NaN.
double missed_pull(const protocol::State& start, const protocol::State& end,
                   const Vectors<double>& at_start, const Vectors<double>& at_end,
                   const std::vector<std::size_t>& rows, std::uint64_t steps, double digits);
inline constexpr double most_missed = 0.3;  // in the median of several ends

// Above this number of steps times the rounding unit, increments are a few last bits, and rounding
// decides where the bodies end.
inline constexpr double most_roundings = 0.02;

}  // namespace nbody::bench
