#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "bodies/units.hpp"
#include "check/check_scenes.hpp"
#include "check/force_diagnosis.hpp"
#include "physics/reference.hpp"

namespace nbody::check::test {

// Answers for tests of the checker: right ones, and spoilt ones.

inline Reference reference_of(const Scene& scene) {
  return reference_accelerations(scene.bodies, scene.setting.G, scene.setting.softening);
}

inline Vectors<double> rounded_to_float(Vectors<double> vectors) {
  for (auto* column : {&vectors.x, &vectors.y, &vectors.z}) {
    for (double& value : *column) value = nbody::rounded_to_float(value);
  }
  return vectors;
}

// a_i = sum over j of factor(i, j) a_ij: most mistakes are a factor.
using Factor = std::function<double(std::size_t i, std::size_t j)>;
inline Vectors<double> accelerations(const Scene& scene, double softening2, const Factor& factor) {
  const Bodies<double>& b = scene.bodies;
  Vectors<double> sums;
  sums.resize(b.size());
  for (std::size_t i = 0; i < b.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      if (j == i) continue;
      const double dx = b.qx[j] - b.qx[i], dy = b.qy[j] - b.qy[i], dz = b.qz[j] - b.qz[i];
      const double r2 = dx * dx + dy * dy + dz * dz + softening2;
      const double scale = factor(i, j) * scene.setting.G * b.mass[j] / (r2 * std::sqrt(r2));
      sums.x[i] += scale * dx;
      sums.y[i] += scale * dy;
      sums.z[i] += scale * dz;
    }
  }
  return rounded_to_float(sums);
}
inline Vectors<double> accelerations(const Scene& scene, const Factor& factor) {
  return accelerations(scene, scene.setting.softening * scene.setting.softening, factor);
}

// The seeds of the three unit systems: SI, softened with G = 1, tiny.
inline constexpr std::uint64_t si_world = 3, softened_world = 4, tiny_world = 5;
inline constexpr std::uint64_t worlds[] = {si_world, softened_world, tiny_world};

inline std::string diagnosis_of(const Scene& scene, const Vectors<double>& got,
                                double limit = 1e-5) {
  const Reference reference = reference_of(scene);
  const Hypotheses found = diagnose_force_numbers({scene, reference, got, {}}, limit);
  return found.empty() ? "" : found.front().sentence;
}

}  // namespace nbody::check::test
