#include "simulator/run_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/scheme.hpp"
#include "machine/machine.hpp"
#include "simulator/accelerator.hpp"
#include "simulator/simulation.hpp"
#include "simulator/threads.hpp"

namespace nbody {
namespace {

std::string simulated_time(const Setting& setting, double time) {
  if (is_si(setting) || !std::isfinite(time)) return human_time(time);
  return fmt::format("{:.6g}", time);
}

// Of one interaction, by the student's worksheet; empty: not answered.
std::optional<double> worksheet_flops(const Implementation& implementation, std::size_t bodies) {
  if (implementation.flops_per_iteration == nullptr) return std::nullopt;
  const double n = static_cast<double>(bodies), answer = implementation.flops_per_iteration(n);
  if (!std::isfinite(answer) || answer < 0) return std::nullopt;
  return answer / (n * n);
}
constexpr double literature_flops = 20;  // its convention, whatever the code does

// Ordered pairs, 10^9 per second.
double interaction_rate(std::size_t n, std::uint64_t evaluations, double wall_s) {
  const double pairs = static_cast<double>(n) * static_cast<double>(n);
  return wall_s > 0 ? pairs * static_cast<double>(evaluations) / wall_s / 1e9 : 0;
}

bool is_emulated(const Implementation& implementation) {
  return implementation.accelerator != nullptr && implementation.accelerator->is_emulated;
}

}  // namespace

bool is_si(const Setting& setting) { return std::abs(setting.G / Setting().G - 1) < 0.01; }

std::string human_time(double seconds) {
  if (!std::isfinite(seconds)) return "not finite";
  if (seconds < 60) return fmt::format("{:.4g}s", seconds);
  if (seconds > 1e15) return fmt::format("{:.3g}d", seconds / 86400);
  const auto whole = static_cast<std::uint64_t>(seconds + 0.5);
  return fmt::format("{}d {:02}h {:02}m {:02}s", whole / 86400, whole / 3600 % 24, whole / 60 % 60,
                     whole % 60);
}

void print_setting(const Implementation& implementation, const Options& options,
                   const Scene& scene) {
  const Setting& setting = scene.setting;
  const char* const second = is_si(setting) ? " s" : "";
  fmt::print("{}/{}: {}\n", implementation.part, implementation.name, implementation.summary);
  fmt::print("  bodies      {} ({})\n", scene.bodies.size(),
             options.file.empty() ? fmt::format("scene {}, seed {}", options.scene, options.seed)
                                  : options.file);
  fmt::print("  iterations  {}\n", options.iterations);
  fmt::print("  time step   {}{}{}\n", options.adaptive ? "adaptive, at least " : "",
             options.adaptive ? setting.dt_floor : setting.dt, second);
  const Scheme& scheme = scheme_named(setting.integrator);
  fmt::print("  integrator  {}: {}\n", scheme.name, scheme.summary);
  if (setting.damping != 1) fmt::print("  damping     {} per step\n", setting.damping);
  fmt::print("  G, eps      {}, {}\n", setting.G, setting.softening);
  fmt::print("  precision   {}\n", name_of(implementation.precision()));
  if (const Accelerator* device = implementation.accelerator) {
    fmt::print("  {:<10}  {}\n", device->ranks ? "ranks" : "device", device->description());
  } else {
    fmt::print("  threads     {} at most, where the code has OpenMP pragmas\n", threads_in_use());
  }
  const Tuning tuning = chosen_tuning(implementation, options.tuning);
  if (tuning.block > 0) fmt::print("  block       {} threads\n", tuning.block);
  if (tuning.unroll > 0) fmt::print("  unroll      {}\n", tuning.unroll);
  if (tuning.grid > 0) fmt::print("  grid        {} at most\n", tuning.grid);
  fmt::print("  built by    {} {}\n", machine::compiler_name(), implementation.flags);
  if (options.verbose) {
    fmt::print("\n{:>10}  {:>18}  {:>10}  {:>10}  {:>16}  {:>10}  {:>9}\n", "iteration",
               "simulated", is_si(setting) ? "dt s" : "dt", "ms", "10^9 interact./s", "Gflop/s *",
               "dE/E0");
  }
  std::fflush(stdout);
}

void print_iteration(const Implementation& implementation, const Scene& scene,
                     const RunSummary& now, double dt, double wall_s, std::uint64_t evaluations) {
  const std::size_t n = scene.bodies.size();
  const auto shown = [&](double number, int digits) {
    return is_emulated(implementation) ? "-" : fmt::format("{:.{}f}", number, digits);
  };
  const double rate = interaction_rate(n, evaluations, wall_s);
  const double flops = worksheet_flops(implementation, n).value_or(literature_flops);
  const std::string energy_error =
      now.finite ? fmt::format("{:+.1e}", now.energy_error) : "not finite";
  fmt::print("{:>10}  {:>18}  {:>10.4g}  {:>10}  {:>16}  {:>10}  {:>9}\n", now.iterations,
             simulated_time(scene.setting, now.simulated_s), dt, shown(wall_s * 1e3, 3),
             shown(rate, 4), shown(rate * flops, 2), now.energy_known ? energy_error : "");
  std::fflush(stdout);
}

void print_summary(const Implementation& implementation, const Options& options, const Scene& scene,
                   const RunSummary& summary) {
  const std::size_t n = scene.bodies.size();
  const double iterations = static_cast<double>(std::max<std::uint64_t>(1, summary.iterations));
  const double evaluations = static_cast<double>(summary.evaluations) / iterations;
  if (summary.interrupted) {
    fmt::print("\ninterrupted after {} of {} iterations\n", summary.iterations, options.iterations);
  }
  fmt::print("\n  simulated   {}\n", simulated_time(scene.setting, summary.simulated_s));
  fmt::print("  took        {:.4g} s, {:.4g} ms per iteration\n", summary.wall_s,
             summary.wall_s / iterations * 1e3);
  if (evaluations > 1.5) {
    fmt::print("  forces      evaluated {:.3g} times per iteration\n", evaluations);
  }
  // The speed of a broken run means nothing.
  if (!summary.finite) {
    fmt::print("  {}\n", no_longer_finite);
    return;
  }
  const std::optional<double> by_worksheet = worksheet_flops(implementation, n);
  const double flops = by_worksheet.value_or(literature_flops);
  const double rate = interaction_rate(n, summary.evaluations, summary.wall_s);
  if (is_emulated(implementation)) {
    fmt::print("  speed       not shown: a CPU emulates the GPU here\n");
  } else {
    fmt::print("  speed       {:.4f} x 10^9 interactions/s, {:.2f} Gflop/s *\n", rate,
               rate * flops);
  }
  if (summary.energy_known) {
    fmt::print("  energy      changed by {:+.2e} of its initial value\n", summary.energy_error);
    fmt::print("  momentum    changed by {:.2e} of sum m |v|, angular momentum by {:.2e}\n",
               summary.momentum_error, summary.angular_momentum_error);
  }
  if (is_emulated(implementation)) return;
  fmt::print("  * counted as {:.4g} flops per interaction, {}\n", flops,
             by_worksheet ? "by your worksheet" : "the literature's convention");
}

}  // namespace nbody
