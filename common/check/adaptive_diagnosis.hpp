#pragma once

#include <string>

#include "bodies/bodies.hpp"
#include "bodies/scene.hpp"

namespace nbody::check {

// In float the step is right to about 1e-6; no relevant mistake is smaller than 1e-4.
constexpr double adaptive_limit = 1e-4;

// Which mistake makes the adaptive step `got` where Eq. 7 gives `expected`.
std::string diagnose_adaptive_step(double got, double expected, const Scene& scene,
                                   const Bodies<double>& bodies,
                                   const Vectors<double>& acceleration);

}  // namespace nbody::check
