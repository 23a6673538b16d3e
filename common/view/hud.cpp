#include "view/hud.hpp"

#include <fmt/format.h>

#include "simulator/run_report.hpp"

namespace nbody::view {
namespace {

std::string time_text(double time, const Setting& setting) {
  return is_si(setting) ? human_time(time) : fmt::format("t = {:.4g}", time);
}

std::string speed_text(double interactions_per_second) {
  const bool many = interactions_per_second >= 1e8;
  return fmt::format("{:.3g} x 10^{} interactions/s", interactions_per_second / (many ? 1e9 : 1e6),
                     many ? 9 : 6);
}

}  // namespace

std::vector<std::string> hud_lines(const std::string& title, const Snapshot& shown,
                                   const Scene& scene, bool with_speed) {
  std::vector<std::string> lines = {fmt::format("{}, {} bodies", title, scene.bodies.size()),
                                    fmt::format("iteration {}   {}", shown.iteration,
                                                time_text(scene.time + shown.time, scene.setting))};
  if (with_speed && shown.interactions_per_second > 0) {
    lines.push_back(speed_text(shown.interactions_per_second));
  }
  if (shown.energy_error) {
    lines.push_back(fmt::format("energy error {:+.1e}", *shown.energy_error));
  }
  if (!shown.finite) lines.push_back("no longer finite numbers: is the step (--dt) too large?");
  return lines;
}

std::vector<std::string> key_lines() {
  return {"space pause   s one step   + - faster, slower   a all it can",
          "c colour   t trails   g glow   f follow   r camera back",
          "p picture   h text   esc quit   mouse: turn, zoom, follow"};
}

}  // namespace nbody::view
