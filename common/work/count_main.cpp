// The main function of every count program: a plan on the standard input, a line for each number of
// bodies on the standard output, all in JSON. common/lab/src/nbody_lab/measure/counting.py reads
// it.
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

#include "core/reference.hpp"
#include "core/scenes.hpp"
#include "core/scheme.hpp"
#include "core/units.hpp"
#include "simulator/threads.hpp"
#include "work/counted_implementation.hpp"

namespace nbody::work {

struct Plan {
  std::vector<std::size_t> bodies;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Plan, bodies)
void to_json(nlohmann::json& json, const Counts& counts) {
  for (const Class& one : classes) json[one.name] = counts.*one.tally;
}

namespace {

using Json = nlohmann::json;

struct Start {
  Bodies<double> bodies;  // working units
  double G, softening, dt;
};

Start start_with(std::size_t n) {
  const Scene scene = make_scene("random", n, 1);
  const Bodies<double> bodies = rounded_to_float(scene.bodies);
  const Units units = Units::for_bodies(bodies, scene.setting.G);
  return {units.to_working(bodies), units.to_G(scene.setting.G),
          units.to_length(scene.setting.softening), units.to_time(scene.setting.dt)};
}

ProblemOf<Counting> problem_of(const Start& start) {
  const auto converted = [](const std::vector<double>& values) {
    return std::vector<Counting>(values.begin(), values.end());
  };
  const Bodies<double>& from = start.bodies;
  return {{converted(from.mass), converted(from.radius), converted(from.qx), converted(from.qy),
           converted(from.qz), converted(from.vx), converted(from.vy), converted(from.vz)},
          start.G,
          start.softening};
}

// Numbers that bypass the counting are wrong. NaN, which JSON shows as null, if one is.
double error_of(const SimulatorOf<Counting>& simulator, const Start& start) {
  const std::size_t n = start.bodies.size();
  const Reference truth = reference_accelerations(start.bodies, start.G, start.softening);
  Vectors<Counting> got;
  got.resize(n);
  simulator.copy_accelerations(got);
  double worst = 0;
  for (std::size_t i = 0; i < n; ++i) {
    // Not hypot: libstdc++ 12 loses a NaN beside zeros.
    const double dx = as_double(got.x[i]) - truth.acceleration.x[i];
    const double dy = as_double(got.y[i]) - truth.acceleration.y[i];
    const double dz = as_double(got.z[i]) - truth.acceleration.z[i];
    const double error = std::sqrt(dx * dx + dy * dy + dz * dz) / truth.magnitude[i];
    if (!(error <= worst)) worst = error;
    if (std::isnan(worst)) break;
  }
  return worst;
}

using Work = std::map<std::string, Counts>;  // of one call of each function

// Without it, if the implementation has no such function.
template <typename Function>
void count(Work& work, const char* name, Function function) {
  try {
    take_counts();
    function();
    work[name] = take_counts();
  } catch (const MissingFunction&) {
  }
}

Json counted_with(std::size_t n) {
  const Start start = start_with(n);
  Work work;
  double error = 0;
  counted_implementation.with(problem_of(start), [&](SimulatorOf<Counting>& simulator) {
    // The second iteration is counted: one-time work does not belong to an iteration.
    for (const bool first : {true, false}) {
      count(work, "compute_accelerations", [&] { simulator.compute_accelerations(); });
      if (first) error = error_of(simulator, start);
      count(work, "largest_time_step", [&] { simulator.largest_time_step(); });
      count(work, "update_bodies", [&] { simulator.update_bodies(start.dt); });
    }
    for (int round = 0; round < 2; ++round) {
      count(work, "kick", [&] { simulator.kick(start.dt); });
      count(work, "drift", [&] { simulator.drift(start.dt); });
    }
  });
  // On a new simulator, as the Hermite integrator does in each step.
  counted_implementation.with(problem_of(start), [&](SimulatorOf<Counting>& simulator) {
    Vectors<Counting> accelerations, jerk;
    accelerations.resize(n);
    jerk.resize(n);
    count(work, "accelerations_and_jerk", [&] {
      simulator.accelerations_and_jerk(accelerations, jerk);
      if (work_so_far.mul == 0) throw MissingFunction("by the host, beside the kernels");
    });
  });
  return {{"n", n}, {"error", error}, {"work", work}};
}

// The calls that a step with a fixed dt consists of (simulator/integration.hpp).
std::vector<std::string> calls_of(const Scheme& scheme) {
  if (scheme.hermite) return {"accelerations_and_jerk"};
  if (scheme.sequence.empty()) return {scheme.tableau.stages.size(), "compute_accelerations"};
  static const std::map<Move, const char*> names = {{Move::accelerations, "compute_accelerations"},
                                                    {Move::kick, "kick"},
                                                    {Move::drift, "drift"},
                                                    {Move::update, "update_bodies"}};
  std::vector<std::string> calls;
  for (const Operation& operation : scheme.sequence) calls.push_back(names.at(operation.move));
  return calls;
}

std::map<std::string, std::vector<std::string>> integrators() {
  std::map<std::string, std::vector<std::string>> calls;
  for (const Scheme& scheme : schemes()) calls[std::string(scheme.name)] = calls_of(scheme);
  return calls;
}

// The standard output is the counts' alone: what the counted code prints goes beside it. Before
// main, since a static variable of its header may print, too.
int results = -1;
[[gnu::constructor(101)]] void keep_standard_output() {
  results = ::dup(STDOUT_FILENO);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
}

void write(const Json& line) { ::dprintf(results, "%s\n", line.dump().c_str()); }

}  // namespace
}  // namespace nbody::work

int main() {
  using namespace nbody::work;
  try {
    const Plan plan = Json::parse(std::cin).get<Plan>();
    nbody::use_threads(1);
    write({{"part", counted_implementation.part},
           {"name", counted_implementation.name},
           {"integrators", integrators()}});
    for (const std::size_t n : plan.bodies) write(counted_with(n));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s_count: %s\n", counted_implementation.name, error.what());
    return 2;
  }
}
