#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nbody {

// A scheme (integrator): how a time step is computed. docs/physics.md explains them; a row in
// schemes.cpp adds one.

// The operations of a step by kicks and drifts.
enum class Move {
  accelerations,  // A: Eq. 1-3 at the current positions
  kick,           // K: v += fraction dt a
  drift,          // D: q += fraction dt v
  update,         // Eq. 4 and 5 of docs/physics.md, by the implementation's own update_bodies()
};

struct Operation {
  Move move;
  double fraction = 1;  // of the time step
};

// The Butcher tableau of an explicit Runge-Kutta method for (q, v)' = (v, a(q)).
struct Tableau {
  std::vector<std::vector<double>> stages;  // row s: the weights of the stages before stage s
  std::vector<double> weights;              // of all of them in the step
};

// One of `sequence`, `tableau` and `hermite` says what a step is.
struct Scheme {
  std::string_view name, summary;
  int order;                    // the error after a fixed time goes with dt^order; 0: no gravity
  bool time_symmetric = false;  // a step by -dt leads back to the start
  bool symplectic = false;      // with a fixed dt its energy error does not grow with time
  double evaluations = 1;       // of the forces in a step
  std::vector<Operation> sequence = {};
  Tableau tableau = {};
  bool hermite = false;  // predict and correct with accelerations and jerk
  // With an adaptive dt: use the mean of the steps that Eq. 7 allows at both ends.
  bool symmetric_step = false;

  // Then later steps start where no accelerations were computed.
  bool begins_with_drift() const {
    return !sequence.empty() && sequence.front().move == Move::drift;
  }
};

// All of them; the first is the default.
const std::vector<Scheme>& schemes();

// Empty: the first one. Throws InputError, which lists all of them.
const Scheme& scheme_named(const std::string& name);

}  // namespace nbody
