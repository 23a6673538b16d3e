#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "core/bodies.hpp"

namespace nbody {

// The constants a simulation needs beside its bodies. Units as in the bodies.
struct Setting {
  double G = 6.67384e-11;       // gravitational constant, m^3 kg^-1 s^-2
  double softening = 0;         // eps, m: eps^2 is added to every squared distance
  double dt = 3600;             // time step, s
  double dt_floor = 200;        // the adaptive time step never goes below, s
  std::string integrator = {};  // a name of core/schemes.cpp; empty: Eq. 4 and 5
  double damping = 1;           // velocities are multiplied by it once a step; in [0, 1]
  bool operator==(const Setting&) const = default;
};

// Initial conditions: what a generator makes and a body file holds.
struct Scene {
  Bodies<double> bodies;
  Setting setting;
  double time = 0;  // simulated time at which the bodies stand like this, s
  std::map<std::size_t, std::string> names = {};  // of those bodies that have one
  bool operator==(const Scene&) const = default;
};

}  // namespace nbody
