#include "simulator/live_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "machine/clock.hpp"

namespace nbody {
namespace {

using machine::seconds_now;
using Json = nlohmann::ordered_json;

constexpr double patience_s = 0.05;    // with a pause, so that Ctrl-C takes effect
constexpr double most_credit_s = 0.1;  // after a pause or a long step nothing is made up for
// Bodies whose energy is summed for a picture, and for a viewer that wants every energy.
constexpr std::size_t quickly_summed = 1024, always_summed = 4096;

// 95 % of the bodies are nearer: a few ejected ones do not shrink the others to a dot.
double usual_distance(const Bodies<double>& bodies, double x, double y, double z) {
  std::vector<double> distances(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    distances[i] = std::hypot(bodies.qx[i] - x, bodies.qy[i] - y, bodies.qz[i] - z);
  }
  const auto last = static_cast<double>(distances.size() - 1);
  const auto place = distances.begin() + static_cast<std::ptrdiff_t>(std::ceil(0.95 * last));
  std::nth_element(distances.begin(), place, distances.end());
  return *place > 0 ? *place : 1;
}

std::vector<float> relative(const std::vector<double>& values, double zero, double one) {
  std::vector<float> result(values.size());
  std::transform(values.begin(), values.end(), result.begin(),
                 [&](double value) { return static_cast<float>((value - zero) / one); });
  return result;
}

std::string shown_time(const Setting& setting, double time) {
  return is_si(setting) ? human_time(time) : fmt::format("t = {:.4g}", time);
}

bool all_finite(const std::vector<float>& values) {
  return std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); });
}

}  // namespace

LiveView::LiveView(const Implementation& implementation, const Options& options, const Scene& scene)
    : scene_(scene) {
  if (!is_watched()) return;
  const Bodies<double>& bodies = scene.bodies;
  double mass = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    mass += bodies.mass[i];
    const double share = bodies.mass[i] / mass;  // running mean: no sum that overflows
    x_ += share * (bodies.qx[i] - x_);
    y_ += share * (bodies.qy[i] - y_);
    z_ += share * (bodies.qz[i] - z_);
  }
  size_ = usual_distance(bodies, x_, y_, z_);
  const std::vector<float> masses =
      relative(bodies.mass, 0, *std::max_element(bodies.mass.begin(), bodies.mass.end()));
  const Json header = {{"viewer", 1},
                       {"part", implementation.part},
                       {"name", implementation.name},
                       {"precision", name_of(implementation.precision())},
                       {"bodies", bodies.size()},
                       {"iterations", options.iterations},
                       {"columns", 1}};
  link_.greet(viewer_message(header.dump(), {&masses}));
  credited_at_ = seconds_now();
}

std::uint64_t LiveView::in_time(std::uint64_t most) {
  const double rate = link_.wish().rate, now = seconds_now();
  const double most_credit = std::max(1.0, rate * most_credit_s);
  credit_ = std::min(most_credit, credit_ + rate * (now - credited_at_));
  credited_at_ = now;
  if (rate <= 0) return most;
  if (credit_ < 1) {
    link_.listen(std::min(patience_s, (1 - credit_) / rate));
    return 0;
  }
  const std::uint64_t steps = std::min(most, static_cast<std::uint64_t>(credit_));
  credit_ -= static_cast<double>(steps);
  return steps;
}

std::uint64_t LiveView::permitted(std::uint64_t most) {
  if (!is_watched()) return most;
  const bool was_owned = is_owned();
  link_.listen(0);
  const Wish& wish = link_.wish();
  std::uint64_t steps = most;
  if (wish.paused) {
    steps = std::min(most, wish.steps - std::min(wish.steps, steps_taken_));
    if (steps == 0) link_.listen(patience_s);
    steps_taken_ += steps;
  } else {
    steps_taken_ = wish.steps;
    if (wish.rate > 0) steps = in_time(most);
  }
  abandoned_ = was_owned && !is_watched();
  return abandoned_ ? 0 : steps;
}

// Not while there are single steps to take, and not the same state again.
bool LiveView::wants_state(std::uint64_t iteration) const {
  const Wish& wish = link_.wish();
  const bool is_on_its_way = wish.paused && steps_taken_ < wish.steps;
  const bool is_new = shown_ != iteration || shown_accelerations_ != wish.accelerations;
  return link_.is_ready() && !is_on_its_way && is_new;
}

bool LiveView::wants_energy() const {
  return scene_.bodies.size() <= (link_.wish().energy ? always_summed : quickly_summed);
}

void LiveView::show(const Simulation& simulation, const Bodies<double>& bodies,
                    const RunSummary& now) {
  link_.send_state(message(simulation, bodies, now, false));
}

void LiveView::finish(const Simulation& simulation, const Bodies<double>& bodies,
                      const RunSummary& last) {
  if (!is_watched()) return;
  link_.finish(message(simulation, bodies, last, true));
}

std::string LiveView::message(const Simulation& simulation, const Bodies<double>& bodies,
                              const RunSummary& now, bool is_last) {
  const Wish& wish = link_.wish();
  const bool has_accelerations = wish.accelerations && now.iterations > 0;
  const Vectors<double> arrows = has_accelerations
                                     ? simulation.accelerations()
                                     : Vectors<double>{bodies.vx, bodies.vy, bodies.vz};
  std::vector<float> amounts(bodies.size());
  for (std::size_t i = 0; i < amounts.size(); ++i) {
    amounts[i] = static_cast<float>(std::hypot(arrows.x[i], arrows.y[i], arrows.z[i]));
  }
  const std::vector<float> x = relative(bodies.qx, x_, size_), y = relative(bodies.qy, y_, size_),
                           z = relative(bodies.qz, z_, size_);
  const bool is_finite = all_finite(x) && all_finite(y) && all_finite(z) && all_finite(amounts);
  const bool has_energy = now.energy_known && is_finite && (is_last || wants_energy());
  Json header = {
      {"iteration", now.iterations},
      {"time", shown_time(scene_.setting, scene_.time + now.simulated_s)},
      {"interactions_per_s", interactions_per_second(bodies.size(), now.evaluations - evaluations_,
                                                     now.wall_s - wall_s_)},
      {"energy_error", has_energy ? Json(now.energy_error) : Json(nullptr)},
      {"accelerations", has_accelerations},
      {"finite", is_finite},
      {"last", is_last},
      {"columns", 4}};
  shown_ = now.iterations;
  shown_accelerations_ = wish.accelerations;
  evaluations_ = now.evaluations;
  wall_s_ = now.wall_s;
  return viewer_message(header.dump(), {&x, &y, &z, &amounts});
}

}  // namespace nbody
