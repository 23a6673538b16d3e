#include "simulator/run.hpp"

#include <fmt/format.h>

#include <cmath>
#include <csignal>
#include <optional>

#include "core/body_file.hpp"
#include "core/conserved.hpp"
#include "machine/clock.hpp"
#include "simulator/accelerator.hpp"
#include "simulator/frames.hpp"
#include "simulator/interrupt.hpp"
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
// Of a batch of steps: until Ctrl-C takes effect.
constexpr double batch_s = 0.1;

class Run {
 public:
  Run(const Implementation& implementation, const Options& options)
      : implementation_(implementation), options_(options), scene_(scene_of(options)) {
    use_threads(options.threads);
    simulation_ = start_simulation(implementation, scene_, options.adaptive, options.tuning);
    summary_.energy_known = scene_.bodies.size() <= largest_n_for_energy;
    if (options.write_base) refuse_unwritable("-w", file_of_iteration());
    if (options.log) refuse_unwritable("--log", *options.log);
    if (options.json) refuse_unwritable("--json", *options.json);
  }

  int run() {
    catch_interrupts();
    if (options_.log) log_.emplace(*options_.log);
    write_state(scene_.bodies);
    print_setting(implementation_, options_, scene_);
    if (implementation_.remark)
      fmt::print(stderr, "{}: {}\n", implementation_.name, implementation_.remark);
    sum_at_start();
    if (options_.verbose) print_iteration_header(scene_.setting);

    if (options_.profile) implementation_.accelerator->start_profile();
    next_word_ = seconds_now() + seconds_of_silence;
    if (frames_.are_wanted()) show_state();
    while (summary_.iterations < options_.iterations && !interrupted &&
           !frames_.reader_has_gone()) {
      advance(chunk());
      if (frames_.are_wanted()) {
        show_state();
      } else if (!options_.verbose && seconds_now() > next_word_) {
        tell_progress();
      }
    }
    std::signal(SIGINT, SIG_DFL);
    // Before anything is read, because that also transfers bodies.
    const std::string profile =
        options_.profile ? implementation_.accelerator->profile(summary_.wall_s) : "";
    if (written_ != summary_.iterations) write_state(simulation_->bodies());

    summary_.interrupted = summary_.iterations < options_.iterations;
    const Bodies<double> bodies = simulation_->bodies();
    record_conserved(bodies);
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

 private:
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
    if (wall < batch_s && steps == chunk_) chunk_ *= 2;
    if (writes() && summary_.iterations % options_.every == 0) write_state(simulation_->bodies());
    if (options_.verbose) {
      print_iteration(summary_.iterations, summary_.simulated_s, simulated, wall, evaluations,
                      scene_, shown_flops(implementation_, scene_.bodies.size()), energy_at_end());
    }
  }

  void show_state() {
    const Bodies<double> bodies = simulation_->bodies();
    const double start = seconds_now();
    if (start >= next_energy_ || summary_.iterations == options_.iterations) {
      record_conserved(bodies);
      next_energy_ = start + 10 * (seconds_now() - start);  // a tenth of the time, at most
    }
    frames_.write(implementation_, scene_, summary_, bodies, *simulation_);
  }

  void tell_progress() {
    next_word_ = seconds_now() + seconds_of_silence;
    const std::uint64_t left = options_.iterations - summary_.iterations;
    if (left == 0) return;
    const double each = summary_.wall_s / static_cast<double>(summary_.iterations);
    fmt::print(stderr, "{} of {} iterations, about {:.0f} s left\n", summary_.iterations,
               options_.iterations, each * static_cast<double>(left));
  }

  // Steps per batch: one if each is printed or shown, else as many as last about `batch_s`.
  std::uint64_t chunk() const {
    if (options_.verbose || frames_.are_wanted()) return 1;
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
  Frames frames_;
  std::unique_ptr<Simulation> simulation_;
  RunSummary summary_;
  std::uint64_t chunk_ = 1;
  double next_word_ = 0, next_energy_ = 0;  // s
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
