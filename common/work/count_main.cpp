// The main function of every count program: a plan on the standard input, a line for each number of
// bodies on the standard output, all in JSON. common/lab/src/nbody_lab/measure/count_file.py reads
// it.
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "core/reference.hpp"
#include "core/run_main.hpp"
#include "core/scenes.hpp"
#include "core/units.hpp"
#include "simulator/threads.hpp"
#include "work/counted_implementation.hpp"

namespace nbody::work {

void to_json(nlohmann::json& json, const Counts& counts) {
  for (std::size_t kind = 0; kind < Counts::kinds; ++kind) {
    json[Counts::names[kind]] = counts.of[kind];
  }
}

namespace {

using Json = nlohmann::json;

// Numbers that bypass the counting are wrong. NaN, which JSON shows as null, if one is.
double error_of(const Vectors<Counting>& got, const Reference& truth) {
  double worst = 0;
  for (std::size_t i = 0; i < got.size() && !std::isnan(worst); ++i) {
    // Not hypot: libstdc++ 12 loses a NaN beside zeros.
    const double dx = as_double(got.x[i]) - truth.acceleration.x[i];
    const double dy = as_double(got.y[i]) - truth.acceleration.y[i];
    const double dz = as_double(got.z[i]) - truth.acceleration.z[i];
    const double error = std::sqrt(dx * dx + dy * dy + dz * dz) / truth.magnitude[i];
    if (!(error <= worst)) worst = error;
  }
  return worst;
}

Json counted_with(std::size_t n) {
  const Scene scene = make_scene("random", n, 1);
  const Bodies<double> given = rounded_to_float(scene.bodies);
  const Units units = Units::for_bodies(given, scene.setting.G);
  const Bodies<double> bodies = units.to_working(given);
  const double G = units.to_G(scene.setting.G), dt = units.to_time(scene.setting.dt);
  const double softening = units.to_length(scene.setting.softening);
  ProblemOf<Counting> problem{{}, G, softening};
  for (std::size_t k = 0; k < bodies.columns().size(); ++k) {
    const std::vector<double>& column = *bodies.columns()[k];
    problem.bodies.columns()[k]->assign(column.begin(), column.end());
  }
  Json work;  // of one call of each function
  const auto count = [&work](const char* function, const auto& call) {
    take_counts();
    call();
    work[function] = take_counts();
  };
  Vectors<Counting> accelerations;
  accelerations.resize(n);
  double error = 0;
  counted_implementation.with(problem, [&](SimulatorOf<Counting>& simulator) {
    // The second iteration is counted: one-time work does not belong to an iteration.
    for (const bool first : {true, false}) {
      count("compute_accelerations", [&] { simulator.compute_accelerations(); });
      if (first) {
        simulator.copy_accelerations(accelerations);
        error = error_of(accelerations, reference_accelerations(bodies, G, softening));
      }
      count("largest_time_step", [&] { simulator.largest_time_step(); });
      count("update_bodies", [&] { simulator.update_bodies(dt); });
    }
  });
  return {{"n", n}, {"error", error}, {"work", work}};
}

int run() {
  // What the counted code prints does not come between the counts.
  const int results = ::dup(STDOUT_FILENO);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  const auto write = [results](const Json& line) {
    ::dprintf(results, "%s\n", line.dump().c_str());
  };
  const std::vector<std::size_t> sizes = Json::parse(std::cin).at("bodies");
  use_threads(1);
  write({{"part", counted_implementation.part}, {"name", counted_implementation.name}});
  for (const std::size_t n : sizes) write(counted_with(n));
  return 0;
}

}  // namespace
}  // namespace nbody::work

int main() { return nbody::run_main(nbody::work::counted_implementation.name, nbody::work::run); }
