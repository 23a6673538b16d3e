#include "work/work.hpp"

#include <fmt/format.h>

namespace nbody::work {
namespace {

struct OptionalFunction {
  const char* name;
  std::optional<Counts> Work::*counts;
};
constexpr OptionalFunction optional_functions[] = {
    {"kick", &Work::kick},
    {"drift", &Work::drift},
    {"accelerations_and_jerk", &Work::accelerations_and_jerk},
};

using Counted = std::optional<Counts>;

Counted counts_of(Move move, const Work& work) {
  switch (move) {
    case Move::accelerations:
      return work.compute_accelerations;
    case Move::kick:
      return work.kick;
    case Move::drift:
      return work.drift;
    case Move::update:
      return work.update_bodies;
  }
  return std::nullopt;
}

// The calls that a step consists of (simulator/integration.hpp).
std::vector<Counted> calls_of(const Scheme& scheme, const Work& work) {
  if (scheme.hermite) return {work.accelerations_and_jerk};
  if (scheme.sequence.empty()) return {scheme.tableau.stages.size(), work.compute_accelerations};
  std::vector<Counted> calls;
  for (const Operation& operation : scheme.sequence)
    calls.push_back(counts_of(operation.move, work));
  return calls;
}

Counted sum(const Scheme& scheme, const Work& work) {
  Counts total;
  for (const Counted& call : calls_of(scheme, work)) {
    if (!call) return std::nullopt;
    total = total + *call;
  }
  return total;
}

}  // namespace

const std::vector<WorkPart>& counted_functions() {
  static const std::vector<WorkPart> functions = {
      {"compute_accelerations", [](const Work& work) { return work.compute_accelerations; }},
      {"largest_time_step", [](const Work& work) { return work.largest_time_step; }},
      {"update_bodies", [](const Work& work) { return work.update_bodies; }},
  };
  return functions;
}

std::vector<WorkPart> functions_for_integrators(const Work& work) {
  std::vector<WorkPart> functions;
  for (const auto& [name, counts] : optional_functions) {
    if (!(work.*counts)) continue;
    functions.push_back({name, [member = counts](const Work& of) { return (of.*member).value(); }});
  }
  return functions;
}

std::vector<std::string> missing_functions(const Work& work) {
  std::vector<std::string> missing;
  for (const auto& [name, counts] : optional_functions) {
    if (!(work.*counts)) missing.push_back(fmt::format("{}()", name));
  }
  return missing;
}

std::vector<WorkPart> all_functions(const Work& work) {
  std::vector<WorkPart> all = counted_functions();
  for (const WorkPart& function : functions_for_integrators(work)) all.push_back(function);
  return all;
}

const std::vector<WorkPart>& iterations() {
  static const std::vector<WorkPart> sums = {
      {"fixed_step",
       [](const Work& work) { return work.compute_accelerations + work.update_bodies; }},
      {"adaptive_step",
       [](const Work& work) {
         return work.compute_accelerations + work.largest_time_step + work.update_bodies;
       }},
  };
  return sums;
}

std::optional<WorkPart> work_of_step(const Scheme& scheme, const Work& work) {
  if (!sum(scheme, work)) return std::nullopt;
  return WorkPart{std::string(scheme.name),
                  [&scheme](const Work& of) { return sum(scheme, of).value(); }};
}

const WorkClass all_flops = {"flops", "flops", false, flops};
const WorkClass all_memops = {"memops", "loads and stores", false,
                              [](const Counts& counts) { return counts.loads + counts.stores; }};

const std::vector<WorkClass>& work_classes() {
  static const std::vector<WorkClass> classes = {
      {"add", "add, subtract", false, [](const Counts& counts) { return counts.add; }},
      {"mul", "multiply", false, [](const Counts& counts) { return counts.mul; }},
      {"div", "divide", false, [](const Counts& counts) { return counts.div; }},
      {"sqrt", "sqrt", false, [](const Counts& counts) { return counts.sqrt; }},
      {"rsqrt", "1/sqrt in one", true, [](const Counts& counts) { return counts.rsqrt; }},
      {"fma", "fma (2 flops)", true, [](const Counts& counts) { return counts.fma; }},
      {"pow", "pow (1 flop)", true, [](const Counts& counts) { return counts.pow; }},
      all_flops,
      {"loads", "loads", false, [](const Counts& counts) { return counts.loads; }},
      {"stores", "stores", false, [](const Counts& counts) { return counts.stores; }},
      all_memops,
      {"shared_loads", "loads, shared memory", true,
       [](const Counts& counts) { return counts.shared_loads; }},
      {"shared_stores", "stores, shared memory", true,
       [](const Counts& counts) { return counts.shared_stores; }},
  };
  return classes;
}

}  // namespace nbody::work
