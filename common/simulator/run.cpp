#include "simulator/run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <csignal>
#include <fstream>

#include "core/body_file.hpp"
#include "core/conserved.hpp"
#include "core/input_error.hpp"
#include "core/text_file.hpp"
#include "machine/clock.hpp"
#include "simulator/accelerator.hpp"
#include "simulator/frames.hpp"
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
// Of a batch of steps: until Ctrl-C takes effect.
constexpr double batch_s = 0.1;

// Ctrl-C ends a run after its iteration. A second one ends the program at once: one step of many
// bodies may take minutes.
volatile std::sig_atomic_t interrupted = 0;
void note_interrupt(int) {
  constexpr char said[] = "\nstopping after this iteration (Ctrl-C again: at once)\n";
  const int error = errno;
  // Only write() is safe to call here.
  if (::write(STDERR_FILENO, said, sizeof said - 1) < 0) errno = error;
  interrupted = 1;
  std::signal(SIGINT, SIG_DFL);
}

// Before hours of computing, not after. Creates the file's folder and nothing else.
void refuse_unwritable(const std::string& option, const std::filesystem::path& file) {
  std::error_code ignored;  // demand_writable() says what is wrong
  // Not those above it: a mistyped path makes no tree.
  std::filesystem::create_directory(file.parent_path(), ignored);
  try {
    demand_writable(file);
  } catch (const InputError& error) {
    throw InputError(option + ": " + error.what());
  }
}

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
      : implementation_(implementation), options_(options), scene_(scene_on_all_ranks(options)) {
    use_threads(options.threads);
    simulation_ = start_simulation(implementation, scene_, options.adaptive, options.tuning);
    summary_.energy_known = scene_.bodies.size() <= largest_n_for_energy;
    if (!is_rank_0()) return;
    if (!options.write_base.empty()) refuse_unwritable("-w", file_of_iteration());
    if (!options.log.empty()) refuse_unwritable("--log", options.log);
  }

  int run() {
    if (is_rank_0()) begin();
    if (options_.profile) implementation_.accelerator->start_profile();
    next_word_ = seconds_now() + seconds_of_silence;
    while (of_rank_0(goes_on())) advance(of_rank_0(chunk()));
    // Before anything is read, because that also transfers bodies.
    const std::string profile =
        options_.profile ? implementation_.accelerator->profile(summary_.wall_s) : "";
    const Bodies<double> bodies = simulation_->bodies();
    return is_rank_0() ? finish(bodies, profile) : 0;
  }

 private:
  void begin() {
    std::signal(SIGINT, note_interrupt);
    if (!options_.log.empty()) {
      log_.open(options_.log);
      add_to_log(
          "iteration,time,dt,energy,momentum_x,momentum_y,momentum_z,angular_momentum_x,"
          "angular_momentum_y,angular_momentum_z,smallest_distance,force_evaluations,wall_s");
    }
    at_start_ = conserved_of(scene_.bodies);
    write_state(scene_.bodies);
    print_setting(implementation_, options_, scene_);
    if (implementation_.remark)
      fmt::print(stderr, "{}: {}\n", implementation_.name, implementation_.remark);
    Vectors<double> none_yet;
    none_yet.resize(scene_.bodies.size());
    if (is_shown_) show(scene_.bodies, none_yet);
  }

  bool goes_on() const {
    return summary_.iterations < options_.iterations && !interrupted && !frames_.reader_has_gone();
  }

  int finish(const Bodies<double>& bodies, const std::string& profile) {
    std::signal(SIGINT, SIG_DFL);
    summary_.interrupted = summary_.iterations < options_.iterations;
    if (written_ != summary_.iterations) write_state(bodies);
    record_conserved(bodies);
    print_summary(implementation_, options_, scene_, summary_);
    if (!options_.write_base.empty()) {
      fmt::print("  written     {}, the last of {} states\n", file_of_iteration(), times_written_);
    }
    if (log_.is_open()) {
      fmt::print("  written     {}, {} rows\n", options_.log, times_written_);
    }
    if (!profile.empty()) fmt::print("\n{}", profile);
    if (summary_.interrupted) return 130;
    if (summary_.finite) return 0;
    // Standard output is often redirected.
    fmt::print(stderr, "{}: {}\n", implementation_.name, no_longer_finite);
    return 1;
  }

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
    if (wall < batch_s && steps == chunk_) chunk_ *= 2;
    const bool is_due = writes() && summary_.iterations % options_.every == 0;
    if (!is_due && !options_.verbose && !is_shown_) return tell_progress();
    const Bodies<double> bodies = simulation_->bodies();
    const auto accelerations = is_shown_ ? simulation_->accelerations() : Vectors<double>();
    if (!is_rank_0()) return;
    if (is_due) write_state(bodies);
    if (options_.verbose) {
      record_conserved(bodies);
      print_iteration(implementation_, scene_, summary_, simulated, wall, evaluations);
    }
    if (is_shown_) show(bodies, accelerations);
    tell_progress();
  }

  // The accelerations are those of the state before.
  void show(const Bodies<double>& bodies, const Vectors<double>& accelerations) {
    const double start = seconds_now();
    if (start >= next_energy_ || summary_.iterations == options_.iterations) {
      record_conserved(bodies);
      next_energy_ = start + 10 * (seconds_now() - start);  // a tenth of the time, at most
    }
    frames_.write(implementation_, scene_, summary_, bodies, accelerations);
  }

  void tell_progress() {
    const std::uint64_t left = options_.iterations - summary_.iterations;
    if (!is_rank_0() || is_shown_ || options_.verbose || left == 0) return;
    if (seconds_now() <= next_word_) return;
    next_word_ = seconds_now() + seconds_of_silence;
    const double each = summary_.wall_s / static_cast<double>(summary_.iterations);
    fmt::print(stderr, "{} of {} iterations, about {:.0f} s left\n", summary_.iterations,
               options_.iterations, each * static_cast<double>(left));
  }

  // Steps per batch: one if each is printed or shown, else as many as last about `batch_s`.
  std::uint64_t chunk() const {
    if (options_.verbose || is_shown_) return 1;
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
    if (log_.is_open()) {
      const double steps = static_cast<double>(summary_.iterations - written_);
      const double dt = steps > 0 ? (summary_.simulated_s - simulated_at_row_) / steps : 0;
      const auto [energy, p, l] = conserved_of(bodies);
      // They visit all pairs.
      const bool known = summary_.energy_known;
      add_to_log(fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{:.6g}", summary_.iterations,
                             time, dt, known ? fmt::to_string(energy) : "", p.x, p.y, p.z, l.x, l.y,
                             l.z, known ? fmt::to_string(smallest_distance(bodies)) : "",
                             summary_.evaluations, summary_.wall_s));
    }
    written_ = summary_.iterations;
    ++times_written_;
    simulated_at_row_ = summary_.simulated_s;
  }

  // The file is whole after each line, and ends with one when the disk is full.
  void add_to_log(const std::string& line) {
    const auto whole = static_cast<std::uintmax_t>(log_.tellp());
    if (log_ << line << '\n' << std::flush) return;
    log_.close();
    std::error_code ignored;
    std::filesystem::resize_file(options_.log, whole, ignored);
    throw InputError(options_.log + ": cannot be written (disk full?): make room");
  }

  const Implementation& implementation_;
  const Options& options_;
  Scene scene_;
  Frames frames_;
  const bool is_shown_ = of_rank_0(frames_.are_wanted());
  std::unique_ptr<Simulation> simulation_;
  EndOfRanks end_;  // destroyed before the simulation
  RunSummary summary_;
  std::uint64_t chunk_ = 1;
  double next_word_ = 0, next_energy_ = 0;  // s
  Conserved at_start_;
  std::ofstream log_;
  std::uint64_t written_ = 0;  // the iteration that was written last
  std::uint64_t times_written_ = 0;
  double simulated_at_row_ = 0;  // then
};

}  // namespace

int run(const Implementation& implementation, const Options& options) {
  return Run(implementation, options).run();
}

}  // namespace nbody
