#include "work/work_of_step.hpp"

namespace nbody::work {
namespace {

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
  if (scheme.word.empty()) return {scheme.tableau.stages.size(), work.compute_accelerations};
  std::vector<Counted> calls;
  for (const Letter& letter : scheme.word) calls.push_back(counts_of(letter.move, work));
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

std::optional<WorkPart> work_of_step(const Scheme& scheme, const Work& work) {
  if (!sum(scheme, work)) return std::nullopt;
  return WorkPart{std::string(scheme.name),
                  [&scheme](const Work& of) { return sum(scheme, of).value(); }};
}

}  // namespace nbody::work
