#pragma once

#include <string>

namespace nbody {

// A processor on paper with batches, made up from the authors' names (part 2).
struct PaperProcessor {
  int lanes = 0;                 // floats in a batch
  int ports = 0;                 // arithmetic instructions that start in a cycle
  int estimate_slots = 0;        // what an estimate of 1/sqrt costs them
  double root_and_division = 0;  // cycles that one root and one division keep their unit
};

PaperProcessor paper_processor_of(const std::string& authors);

// Interactions a cycle: `lanes` of them, or more, take `slots` slots of the ports.
double bound_by_ports(double interactions, double slots, double ports);

}  // namespace nbody
