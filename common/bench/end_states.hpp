#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bodies/scene.hpp"
#include "check/tolerance.hpp"
#include "protocol/messages.hpp"

namespace nbody::bench {

// What the final state of a timed request tells about its steps.
struct EndVerdict {
  std::string wrong;  // "about 10 steps of 20"; empty: no step seems to be missing
  bool told = false;  // half the steps at twice the dt would have been noticed
};

// Where K steps of T / K end, for any K. Eq. 4 and 5 are of first order: the end is a smooth
// function of the step, so a few runs with long steps tell where any number of short ones ends
// (Richardson's extrapolation), and how far from there half as many end. All in double.
class EndStates {
 public:
  EndStates(const Scene& scene, double time);  // runs the reference: a second or two

  protocol::State after(std::uint64_t steps) const;
  EndVerdict judge(const protocol::State& end, std::uint64_t steps,
                   const check::Tolerance& tolerance) const;

  const Scene& scene() const { return scene_; }
  double time() const { return time_; }
  // More bodies would take longer than the measurement.
  static constexpr std::size_t largest_n = 8192;

 private:
  protocol::State at(double dt, std::size_t count) const;
  protocol::State run(std::uint64_t steps) const;

  Scene scene_;
  double time_;
  std::vector<double> magnitude_;  // sum_j |a_ij| at the start
  std::vector<std::uint64_t> levels_;
  std::vector<protocol::State> ends_;  // of each level's number of steps
};

// The same for adaptive steps, which cannot be extrapolated: it makes them all, or gives no answer
// if that would take longer than the measurement or lead beyond `time`.
EndVerdict judge_adaptive_end(const Scene& scene, double time, const protocol::State& end,
                              std::uint64_t steps, const check::Tolerance& tolerance);

// Above this number of steps times the rounding unit, increments are a few last bits, and rounding
// decides where the bodies end.
inline constexpr double most_roundings = 0.02;

// Relative difference between the change of velocity and the one that the forces at start and end
// give by the trapezium rule: the median over the bodies `rows`, which the accelerations belong to.
// 1: nothing moved. Honest ends stay below 0.1, but 1 in 10 reaches 0.2: so judge several. It finds
// missing steps for any number of bodies. Infinity for NaN.
double missed_pull(const protocol::State& start, const protocol::State& end,
                   const Vectors<double>& at_start, const Vectors<double>& at_end,
                   const std::vector<std::size_t>& rows, std::uint64_t steps, double digits);
inline constexpr double most_missed = 0.3;  // in the median of several ends

}  // namespace nbody::bench
