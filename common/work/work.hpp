#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/scheme.hpp"
#include "work/counts.hpp"

namespace nbody::work {

// The work of one call of each function. The first three make an iteration; the others serve
// integrators, and an implementation may lack them.
struct Work {
  Counts compute_accelerations, largest_time_step, update_bodies;
  std::optional<Counts> kick, drift, accelerations_and_jerk;
};

// One of the functions, or some together.
struct WorkPart {
  std::string name;
  std::function<Counts(const Work&)> of;
};
// The functions of an iteration, which every implementation has.
const std::vector<WorkPart>& counted_functions();
// The functions for integrators that this implementation has, or lacks.
std::vector<WorkPart> functions_for_integrators(const Work& work);
std::vector<std::string> missing_functions(const Work& work);
std::vector<WorkPart> all_functions(const Work& work);
// An iteration with a fixed and with an adaptive time step.
const std::vector<WorkPart>& iterations();

// The work that a step of a scheme, with a fixed dt, asks of the implementation; named after the
// scheme. Nothing if the implementation lacks a function that the scheme needs.
std::optional<WorkPart> work_of_step(const Scheme& scheme, const Work& work);

struct WorkClass {
  const char* key;    // in JSON
  const char* label;  // in tables
  bool rare;          // only shown if not zero
  Counts::Tally (*of)(const Counts&);
};
extern const WorkClass all_flops, all_memops;
// Each class of flops, their sum, loads, stores, their sum.
const std::vector<WorkClass>& work_classes();

}  // namespace nbody::work
