#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "check/zoo/other_precision.hpp"
#include "physics/reference.hpp"
#include "simulator/simulator.hpp"

namespace nbody {

// How far one animal is from the reference: the largest error found, in units of what is allowed.
// Not the checker, which sees programs and not classes: just enough to know that each animal is
// what its name says.
template <template <typename> class Animal, typename T>
class Deviation {
 public:
  double worst(std::vector<std::size_t> sizes = {1, 2, 3, 17, 129}) {
    for (const std::size_t n : sizes) {
      for (unsigned seed = 1; seed <= 2; ++seed) {
        for (const double softening : {0.0, 0.25}) {
          const auto problem = problem_of(n, seed, softening);
          judge_accelerations(problem);
          if (softening > 0 && n < 1000) judge_steps(problem);
        }
      }
    }
    return largest;
  }

 private:
  static constexpr double allowed = sizeof(T) == 4 ? 1e-5 : 1e-13;

  // Numbers that are the same in float and double; the first two bodies are a close pair.
  static Problem<double> problem_of(std::size_t n, unsigned seed, double softening) {
    std::uint64_t state = seed;
    const auto random = [&](double low, double high) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      const double fraction = static_cast<double>(state >> 40) / (1 << 24);
      return static_cast<double>(static_cast<float>(low + (high - low) * fraction));
    };
    Bodies<double> bodies;
    bodies.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      bodies.mass[i] = random(0.25, 1);
      for (auto* column : {&bodies.qx, &bodies.qy, &bodies.qz}) (*column)[i] = random(-1, 1);
      for (auto* column : {&bodies.vx, &bodies.vy, &bodies.vz}) (*column)[i] = random(-1, 1);
    }
    for (std::size_t i = 0; softening == 0 && n >= 17 && i < 2; ++i) {
      bodies.qx[i] = static_cast<double>(i) * 0x1.8p-24;
      bodies.qy[i] = bodies.qz[i] = 0;
    }
    return {bodies, 1.5, softening};
  }

  void judge_accelerations(const Problem<double>& problem) {
    Animal<T> animal(in_precision<T>(problem));
    animal.compute_accelerations();
    const Vectors<double> got = accelerations_of(animal, problem.bodies.size());
    const Reference expected =
        reference_accelerations(problem.bodies, problem.G, problem.softening);
    for (std::size_t i = 0; i < got.size(); ++i) {
      const double scale = problem.bodies.size() == 1 ? 1 : expected.magnitude[i];
      record(got.x[i] - expected.acceleration.x[i], scale);
      record(got.y[i] - expected.acceleration.y[i], scale);
      record(got.z[i] - expected.acceleration.z[i], scale);
    }
  }

  void judge_steps(const Problem<double>& problem) {
    judge_run(problem, {false, 0.01, 0});
    judge_run(problem, {true, 0.01, 0});
    judge_run(problem, {true, 0.01, 0.02});
  }

  void judge_run(const Problem<double>& problem, const StepRule& rule) {
    constexpr int steps = 3;
    Animal<T> animal(in_precision<T>(problem));
    Bodies<double> expected = problem.bodies;
    double expected_time = 0;
    for (int step = 0; step < steps; ++step) {
      const auto a = reference_accelerations(expected, problem.G, problem.softening).acceleration;
      const double largest = reference_time_step(expected, a);
      const bool found = rule.adaptive && std::isfinite(largest);
      const double dt = found ? std::max(largest, rule.dt_floor) : rule.dt;
      reference_update(expected, a, dt);
      expected_time += dt;
    }
    record(animal.advance(steps, rule) - expected_time, expected_time);

    Bodies<T> state = in_precision<T>(problem.bodies);
    animal.copy_state(state);
    for (auto column : {&Bodies<T>::qx, &Bodies<T>::qy, &Bodies<T>::qz, &Bodies<T>::vx,
                        &Bodies<T>::vy, &Bodies<T>::vz}) {
      compare(state.*column, expected, column);
    }
  }

  void compare(const std::vector<T>& got, const Bodies<double>& bodies,
               std::vector<T> Bodies<T>::*column) {
    const Bodies<T> rounded = in_precision<T>(bodies);
    const std::vector<T>& expected = rounded.*column;
    for (std::size_t i = 0; i < got.size(); ++i) {
      record(static_cast<double>(got[i]) - static_cast<double>(expected[i]),
             20 * (1 + std::abs(static_cast<double>(expected[i]))));
    }
  }

  static Vectors<double> accelerations_of(const Animal<T>& animal, std::size_t n) {
    Vectors<T> accelerations;
    accelerations.resize(n);
    animal.copy_accelerations(accelerations);
    return in_precision<double>(accelerations);
  }

  // NaN stays: once there, no comparison replaces it.
  void record(double difference, double scale) {
    const double error = std::abs(difference) / (scale * allowed);
    if (std::isnan(error) || error > largest) largest = error;
  }

  double largest = 0;
};

template <template <typename> class Animal, typename T>
double deviation() {
  return Deviation<Animal, T>().worst();
}

}  // namespace nbody
