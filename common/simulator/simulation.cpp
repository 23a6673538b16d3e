#include "simulator/simulation.hpp"

#include <cstring>
#include <stdexcept>
#include <utility>

#include "simulator/integration.hpp"
#include "simulator/threads.hpp"

namespace nbody {

std::unique_ptr<Simulation> start_simulation(const Implementation& implementation,
                                             const Scene& scene, const Tuning& asked) {
  const Tuning tuning = implementation.choices.chosen(asked);
  return std::visit(
      [&]<typename T>(Maker<T> make) -> std::unique_ptr<Simulation> {
        return std::make_unique<Integration<T>>(make, scene, tuning);
      },
      implementation.make);
}

Answer answer_request(const Implementation& implementation, const Request& request,
                      const Tuning& tuning) {
  use_threads(request.threads);
  Scene scene{request.bodies, request.setting, 0};
  scene.bodies.radius.resize(scene.bodies.size());
  const auto simulation = start_simulation(implementation, scene, tuning);
  const StepRule rule{request.adaptive, request.setting.dt, request.setting.dt_floor};

  Answer answer;
  double time = 0;
  for (std::uint64_t state = 0; state < request.states(); ++state) {
    time += simulation->advance(request.steps / request.states(), rule);
    Bodies<double> b = simulation->bodies();
    answer.states.push_back({time,
                             {std::move(b.qx), std::move(b.qy), std::move(b.qz)},
                             {std::move(b.vx), std::move(b.vy), std::move(b.vz)}});
  }
  if (request.accelerations) {
    simulation->compute_accelerations();
    answer.accelerations = simulation->accelerations();
    // Copied twice, as a scheme may do. Other ranks hold nothing that is read; NaN is like itself.
    const auto [x, y, z] = simulation->accelerations();
    const auto differ = [](const std::vector<double>& one, const std::vector<double>& other) {
      return std::memcmp(one.data(), other.data(), one.size() * sizeof(double)) != 0;
    };
    const Vectors<double>& first = answer.accelerations;
    if (is_rank_0() && (differ(x, first.x) || differ(y, first.y) || differ(z, first.z))) {
      throw std::runtime_error(
          "copy_accelerations() gave other numbers the second time: it must not change what it "
          "copies");
    }
  }
  return answer;
}

}  // namespace nbody
