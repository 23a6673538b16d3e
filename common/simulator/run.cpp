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
#include "simulator/ranks.hpp"
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

// On all ranks rank 0's bodies and setting; the rest of a scene is for its files.
Scene scene_on_all_ranks(const Options& options) {
  if (all_ranks == nullptr) return scene_of(options);
  Scene scene = is_rank_0() ? scene_of(options) : Scene();
  Request request;
  request.bodies = scene.bodies;
  request.setting = scene.setting;
  request = of_rank_0(request);
  if (is_rank_0()) return scene;
  scene = {std::move(request.bodies), request.setting};
  scene.bodies.radius.resize(scene.bodies.size());
  return scene;
}

class Run {
 public:
  Run(const Implementation& implementation, const Options& options)
      : implementation_(implementation),
        options_(options),
        scene_(scene_on_all_ranks(options)),
        live_(implementation, options, scene_) {
    use_threads(options.threads);
    simulation_ = start_simulation(implementation, scene_, options.adaptive, options.tuning);
    summary_.energy_known = scene_.bodies.size() <= largest_n_for_energy;
    if (!is_rank_0()) return;
    if (options.write_base) refuse_unwritable("-w", file_of_iteration());
    if (options.log) refuse_unwritable("--log", *options.log);
    if (options.json) refuse_unwritable("--json", *options.json);
  }

  int run() {
    if (is_rank_0()) begin();
    if (options_.profile) implementation_.accelerator->start_profile();
    next_word_ = seconds_now() + seconds_of_silence;
    while (of_rank_0(goes_on())) {
      if (of_rank_0(live_.wants_state(summary_.iterations))) show_state();
      const std::uint64_t steps = of_rank_0(live_.permitted(chunk()));
      if (steps > 0) advance(steps);
      if (is_rank_0() && !options_.verbose && !live_.is_owned() && seconds_now() > next_word_) {
        tell_progress();
      }
    }
    // Before anything is read, because that also transfers bodies.
    const std::string profile =
        options_.profile ? implementation_.accelerator->profile(summary_.wall_s) : "";
    const Bodies<double> bodies = simulation_->bodies();
    return is_rank_0() ? finish(bodies, profile) : 0;
  }

 private:
  void begin() {
    catch_interrupts();
    if (options_.log) log_.emplace(*options_.log);
    write_state(scene_.bodies);
    print_setting(implementation_, options_, scene_);
    if (implementation_.remark)
      fmt::print(stderr, "{}: {}\n", implementation_.name, implementation_.remark);
    sum_at_start();
    if (options_.verbose) print_iteration_header(scene_.setting);
  }

  int finish(const Bodies<double>& bodies, const std::string& profile) {
    std::signal(SIGINT, SIG_DFL);
    if (written_ != summary_.iterations) write_state(bodies);
    summary_.interrupted = summary_.iterations < options_.iterations;
    record_conserved(bodies);
    live_.finish(*simulation_, bodies, summary_);
    print_summary(summary_, options_, scene_, shown_flops(implementation_, scene_.bodies.size()));
    print_written();
    if (!profile.empty()) fmt::print("\n{}", profile);
    if (options_.json) write_json(summary_, implementation_, options_, scene_);
    if (summary_.interrupted) return 130;
    if (summary_.finite) return 0;
    // Standard output is often redirected.
    fmt::print(stderr, "{}: {}\n", implementation_.name, no_longer_finite);
    return 1;
  }

  bool goes_on() const {
    return summary_.iterations < options_.iterations && !interrupted && !live_.is_abandoned();
  }

  void sum_at_start() {
    if (summary_.energy_known) {
      at_start_ = kept(scene_.bodies);
      momentum_scale_ = momentum_scale(scene_.bodies);
      angular_momentum_scale_ = angular_momentum_scale(scene_.bodies);
    } else if (log_) {
      fmt::print(
          "  log         without energy and smallest distance, which take too long for more than "
          "{} bodies\n",
          largest_n_for_energy);
    }
  }

  void advance(std::uint64_t steps) {
    const double start = seconds_now();
    const double simulated = simulation_->advance(steps);
    const double wall = seconds_now() - start;
    summary_.iterations += steps;
    const std::uint64_t evaluations = simulation_->evaluations() - summary_.evaluations;
    summary_.evaluations += evaluations;
    summary_.wall_s += wall;
    summary_.simulated_s =
        options_.adaptive ? summary_.simulated_s + simulated : fixed_steps_s(summary_.iterations);
    if (wall < (live_.is_watched() ? shown_batch_s : batch_s) && steps == chunk_) chunk_ *= 2;
    if (writes() && summary_.iterations % options_.every == 0) write_state(simulation_->bodies());
    if (options_.verbose) {
      const std::string energy = energy_at_end();
      if (!is_rank_0()) return;
      print_iteration(summary_.iterations, summary_.simulated_s, simulated, wall, evaluations,
                      scene_, shown_flops(implementation_, scene_.bodies.size()), energy);
    }
  }

  void show_state() {
    const Bodies<double> bodies = simulation_->bodies();
    if (!is_rank_0()) return;
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
    std::uint64_t steps = std::min(chunk_, options_.iterations - summary_.iterations);
    if (writes()) {
      steps = std::min(steps, options_.every - summary_.iterations % options_.every);
    }
    return steps;
  }

  // One product, not a sum: independent of how many steps were taken at a time.
  double fixed_steps_s(std::uint64_t iterations) const {
    return scene_.setting.dt * static_cast<double>(iterations);
  }

  Conserved kept(const Bodies<double>& bodies) const {
    return conserved(bodies, scene_.setting.G, scene_.setting.softening);
  }

  // Records whether the state is finite, and the change of conserved quantities.
  void record_conserved(const Bodies<double>& bodies) {
    if (!is_rank_0()) return;
    for (const auto* column :
         {&bodies.qx, &bodies.qy, &bodies.qz, &bodies.vx, &bodies.vy, &bodies.vz}) {
      for (const double value : *column) {
        if (!std::isfinite(value)) summary_.finite = false;
      }
    }
    if (!summary_.energy_known || !summary_.finite) return;
    const Conserved now = kept(bodies);
    summary_.energy_error =
        (now.energy - at_start_.energy) / (at_start_.energy != 0 ? std::abs(at_start_.energy) : 1);
    summary_.momentum_error = change(now.momentum, at_start_.momentum, momentum_scale_);
    summary_.angular_momentum_error =
        change(now.angular_momentum, at_start_.angular_momentum, angular_momentum_scale_);
  }

  // The energy error of the last iteration.
  std::string energy_at_end() {
    if (!summary_.energy_known || summary_.iterations < options_.iterations) return "";
    record_conserved(simulation_->bodies());
    return summary_.finite ? fmt::format("{:+.1e}", summary_.energy_error) : "not finite";
  }

  std::string file_of_iteration() const {
    return fmt::format("{}.{}.dat", *options_.write_base, summary_.iterations);
  }

  bool writes() const { return options_.write_base || options_.log; }

  // What -w and --log write for an iteration.
  void write_state(const Bodies<double>& bodies) {
    if (!is_rank_0()) return;
    const double time = scene_.time + summary_.simulated_s;
    if (options_.write_base) {
      write_body_file(file_of_iteration(), {bodies, scene_.setting, time, scene_.names});
    }
    if (log_) {
      const double steps = static_cast<double>(summary_.iterations - written_);
      LogRow row = {summary_.iterations,
                    time,
                    steps > 0 ? (summary_.simulated_s - simulated_at_row_) / steps : 0,
                    momentum(bodies),
                    angular_momentum(bodies),
                    simulation_->evaluations(),
                    summary_.wall_s};
      if (summary_.energy_known) {
        row.energy = kept(bodies).energy;
        row.smallest_distance = smallest_distance(bodies);
      }
      log_->add(row);
    }
    written_ = summary_.iterations;
    ++times_written_;
    simulated_at_row_ = summary_.simulated_s;
  }

  void print_written() const {
    if (options_.write_base) {
      fmt::print("  written     {}, the last of {} states\n", file_of_iteration(), times_written_);
    }
    if (options_.log)
      fmt::print("  written     {}, {} rows\n", options_.log->string(), times_written_);
  }

  const Implementation& implementation_;
  const Options& options_;
  Scene scene_;
  LiveView live_;
  std::unique_ptr<Simulation> simulation_;
  EndOfRanks end_;  // destroyed before the simulation
  RunSummary summary_;
  std::uint64_t chunk_ = 1;
  double next_word_ = 0;  // s
  Conserved at_start_;
  double momentum_scale_ = 0, angular_momentum_scale_ = 0;
  std::optional<RunLog> log_;
  std::uint64_t written_ = 0;  // the iteration that was written last
  std::uint64_t times_written_ = 0;
  double simulated_at_row_ = 0;  // then
};

}  // namespace

int run(const Implementation& implementation, const Options& options) {
  return Run(implementation, options).run();
}

}  // namespace nbody
