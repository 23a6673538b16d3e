#include "simulator/run.hpp"

#include <fmt/format.h>

#include <cmath>
#include <csignal>
#include <optional>

#include "core/body_file.hpp"
#include "core/conserved.hpp"
#include "machine/clock.hpp"
#include "simulator/accelerator.hpp"
#include "simulator/interrupt.hpp"
#include "simulator/live_view.hpp"
#include "simulator/output_files.hpp"
#include "simulator/run_report.hpp"
#include "simulator/simulation.hpp"
#include "simulator/threads.hpp"

namespace nbody {
namespace {

using machine::seconds_now;

// Nothing that visits all pairs is summed above this N: it costs as much as an iteration in double.
constexpr std::size_t largest_n_for_energy = 16384;
constexpr double seconds_of_silence = 10;
// Of a batch of steps: until Ctrl-C takes effect, or the next picture comes.
constexpr double batch_s = 0.1, shown_batch_s = 0.015;

class Run {
 public:
  Run(const Implementation& implementation, const Options& options)
      : implementation_(implementation),
        options_(options),
        scene_(scene_of(options)),
        live_(implementation, options, scene_) {
    use_threads(options.threads);
    simulation_ = start_simulation(implementation, scene_, options.adaptive, options.tuning);
    summary_.energy_known = scene_.bodies.size() <= largest_n_for_energy;
    if (!options.write_base.empty()) refuse_unwritable("-w", file_of_iteration());
    if (!options.log.empty()) refuse_unwritable("--log", options.log);
  }

  int run() {
    catch_interrupts();
    if (!options_.log.empty()) {
      log_.emplace(options_.log);
      log_->add(
          "iteration,time,dt,energy,momentum_x,momentum_y,momentum_z,angular_momentum_x,"
          "angular_momentum_y,angular_momentum_z,smallest_distance,force_evaluations,wall_s");
    }
    at_start_ = conserved_of(scene_.bodies);
    write_state(scene_.bodies);
    print_setting(implementation_, options_, scene_);
    if (implementation_.remark)
      fmt::print(stderr, "{}: {}\n", implementation_.name, implementation_.remark);

    if (options_.profile) implementation_.accelerator->start_profile();
    next_word_ = seconds_now() + seconds_of_silence;
    while (summary_.iterations < options_.iterations && !interrupted && !live_.is_abandoned()) {
      if (live_.wants_state(summary_.iterations)) show_state();
      const std::uint64_t steps = live_.permitted(chunk());
      if (steps > 0) advance(steps);
      if (!options_.verbose && !live_.is_owned() && seconds_now() > next_word_) tell_progress();
    }
    std::signal(SIGINT, SIG_DFL);
    // Before anything is read, because that also transfers bodies.
    const std::string profile =
        options_.profile ? implementation_.accelerator->profile(summary_.wall_s) : "";

    summary_.interrupted = summary_.iterations < options_.iterations;
    const Bodies<double> bodies = simulation_->bodies();
    if (written_ != summary_.iterations) write_state(bodies);
    record_conserved(bodies);
    live_.finish(*simulation_, bodies, summary_);
    print_summary(implementation_, options_, scene_, summary_);
    if (!options_.write_base.empty()) {
      fmt::print("  written     {}, the last of {} states\n", file_of_iteration(), times_written_);
    }
    if (log_) fmt::print("  written     {}, {} rows\n", options_.log, times_written_);
    if (!profile.empty()) fmt::print("\n{}", profile);
    if (summary_.interrupted) return 130;
    if (summary_.finite) return 0;
    // Standard output is often redirected.
    fmt::print(stderr, "{}: {}\n", implementation_.name, no_longer_finite);
    return 1;
  }

 private:
  void advance(std::uint64_t steps) {
    const double start = seconds_now();
    const double simulated = simulation_->advance(steps);
    const double wall = seconds_now() - start;
    const std::uint64_t evaluations = simulation_->evaluations() - summary_.evaluations;
    summary_.iterations += steps;
    summary_.evaluations += evaluations;
    summary_.wall_s += wall;
    // A fixed step: one product, not a sum that depends on how many steps were taken at a time.
    summary_.simulated_s = options_.adaptive
                               ? summary_.simulated_s + simulated
                               : scene_.setting.dt * static_cast<double>(summary_.iterations);
    if (wall < (live_.is_watched() ? shown_batch_s : batch_s) && steps == chunk_) chunk_ *= 2;
    const bool is_due = writes() && summary_.iterations % options_.every == 0;
    if (!is_due && !options_.verbose) return;
    const Bodies<double> bodies = simulation_->bodies();
    if (is_due) write_state(bodies);
    if (!options_.verbose) return;
    record_conserved(bodies);
    print_iteration(implementation_, scene_, summary_, simulated, wall, evaluations);
  }

  void show_state() {
    const Bodies<double> bodies = simulation_->bodies();
    if (live_.wants_energy()) record_conserved(bodies);
    live_.show(*simulation_, bodies, summary_);
  }

  void tell_progress() {
    next_word_ = seconds_now() + seconds_of_silence;
    const std::uint64_t left = options_.iterations - summary_.iterations;
    if (left == 0) return;
    if (live_.is_paused()) {
      fmt::print(stderr, "{} of {} iterations, paused by the page\n", summary_.iterations,
                 options_.iterations);
      return;
    }
    const double each = summary_.wall_s / static_cast<double>(summary_.iterations);
    fmt::print(stderr, "{} of {} iterations, about {:.0f} s left\n", summary_.iterations,
               options_.iterations, each * static_cast<double>(left));
  }

  // Steps per batch: one if each is printed, else as many as last about `batch_s`.
  std::uint64_t chunk() const {
    if (options_.verbose) return 1;
    const std::uint64_t steps = std::min(chunk_, options_.iterations - summary_.iterations);
    if (!writes()) return steps;
    return std::min(steps, options_.every - summary_.iterations % options_.every);
  }

  bool writes() const { return !options_.write_base.empty() || !options_.log.empty(); }

  Conserved conserved_of(const Bodies<double>& bodies) const {
    if (!summary_.energy_known) return {0, momentum(bodies), angular_momentum(bodies)};
    return conserved(bodies, scene_.setting.G, scene_.setting.softening);
  }

  // Whether the state is finite, and the change of what is conserved.
  void record_conserved(const Bodies<double>& bodies) {
    for (const auto* column : bodies.columns()) {
      for (const double value : *column) summary_.finite &= std::isfinite(value);
    }
    if (!summary_.energy_known || !summary_.finite) return;
    const Conserved now = conserved_of(bodies);
    summary_.energy_error =
        (now.energy - at_start_.energy) / (at_start_.energy != 0 ? std::abs(at_start_.energy) : 1);
    summary_.momentum_error =
        change(now.momentum, at_start_.momentum, momentum_scale(scene_.bodies));
    summary_.angular_momentum_error = change(now.angular_momentum, at_start_.angular_momentum,
                                             angular_momentum_scale(scene_.bodies));
  }

  std::string file_of_iteration() const {
    return fmt::format("{}.{}.dat", options_.write_base, summary_.iterations);
  }

  // What -w and --log write for an iteration.
  void write_state(const Bodies<double>& bodies) {
    const double time = scene_.time + summary_.simulated_s;
    if (!options_.write_base.empty()) {
      write_body_file(file_of_iteration(), {bodies, scene_.setting, time, scene_.names});
    }
    if (log_) {
      const double steps = static_cast<double>(summary_.iterations - written_);
      const double dt = steps > 0 ? (summary_.simulated_s - simulated_at_row_) / steps : 0;
      const auto [energy, p, l] = conserved_of(bodies);
      // They visit all pairs.
      std::string energy_text, distance;
      if (summary_.energy_known) {
        energy_text = fmt::to_string(energy);
        distance = fmt::to_string(smallest_distance(bodies));
      }
      log_->add(fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{:.6g}", summary_.iterations, time,
                            dt, energy_text, p.x, p.y, p.z, l.x, l.y, l.z, distance,
                            summary_.evaluations, summary_.wall_s));
    }
    written_ = summary_.iterations;
    ++times_written_;
    simulated_at_row_ = summary_.simulated_s;
  }

  const Implementation& implementation_;
  const Options& options_;
  Scene scene_;
  LiveView live_;
  std::unique_ptr<Simulation> simulation_;
  RunSummary summary_;
  std::uint64_t chunk_ = 1;
  double next_word_ = 0;  // s
  Conserved at_start_;
  std::optional<LinesFile> log_;
  std::uint64_t written_ = 0;  // the iteration that was written last
  std::uint64_t times_written_ = 0;
  double simulated_at_row_ = 0;  // then
};

}  // namespace

int run(const Implementation& implementation, const Options& options) {
  return Run(implementation, options).run();
}

}  // namespace nbody
