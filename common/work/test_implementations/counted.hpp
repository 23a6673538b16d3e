#pragma once

#include <cstdio>

#include "small.hpp"

// One class for each reason why counting succeeds, or is refused. Every count program has all of
// them, and runs one. What a header prints is not the counts'.
namespace nbody {

inline const int printed = std::puts("from a student's header");

// What only the first call does is no work of an iteration.
class Prepared : public Small {
 public:
  using Small::Small;

  void compute_accelerations() override {
    if (first) {
      for (real& mass : bodies.mass) mass *= 1;
    }
    first = false;
    Small::compute_accelerations();
  }

 private:
  bool first = true;
};

// Reads a position as if it were a plain number.
class PastTheCounting : public Small {
 public:
  using Small::Small;

  void compute_accelerations() override {
    bodies.qx[0] = reinterpret_cast<const double*>(bodies.qx.data())[0];
    Small::compute_accelerations();
  }
};

class WayOut : public Small {
 public:
  using Small::Small;

  void compute_accelerations() override {
    bodies.mass[0] = as_double(bodies.mass[0]);
    Small::compute_accelerations();
  }
};

}  // namespace nbody
