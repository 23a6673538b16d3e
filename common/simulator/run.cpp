#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/body_file.hpp"
#include "core/conserved.hpp"
#include "core/input_error.hpp"
#include "core/scheme.hpp"
#include "machine/clock.hpp"
#include "machine/machine.hpp"
#include "simulator/accelerator.hpp"
#include "simulator/command_line.hpp"
#include "simulator/ranks.hpp"
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
  interrupted = 1;
  std::signal(SIGINT, SIG_DFL);
}

// Not those above it: a mistyped path makes no tree.
void make_folder_of(const std::filesystem::path& file) {
  std::error_code ignored;  // who writes the file says what is wrong
  std::filesystem::create_directory(file.parent_path(), ignored);
}

// On all ranks rank 0's bodies and setting; the rest of a scene is for its files.
Scene scene_on_all_ranks(const Options& options) {
  Scene scene = is_rank_0() ? scene_of(options) : Scene();
  const Request request = of_rank_0(Request{.setting = scene.setting, .bodies = scene.bodies});
  scene.bodies = request.bodies;
  scene.setting = request.setting;
  return scene;
}

// 93784 s -> "1d 02h 03m 04s"; below a minute with fractions.
std::string human_time(double seconds) {
  if (!(seconds >= 60 && seconds <= 1e15)) return fmt::format("{:.4g}s", seconds);
  const auto whole = static_cast<std::uint64_t>(seconds + 0.5);
  return fmt::format("{}d {:02}h {:02}m {:02}s", whole / 86400, whole / 3600 % 24, whole / 60 % 60,
                     whole % 60);
}

// The states of a run, for who watches it (data/README.md), into the FIFO that LAB_FRAMES
// names. Writing one waits for its reader, whose pace is the pause, the single step and the rate of
// the run: nothing comes back.
std::ofstream frames_of_run() {
  const char* const path = std::getenv("LAB_FRAMES");
  if (path == nullptr || !is_rank_0()) return {};
  // Without its reader, write() fails and the run ends in good order.
  std::signal(SIGPIPE, SIG_IGN);
  std::ofstream frames(path, std::ios::binary);
  if (!frames) throw InputError(fmt::format("{} (LAB_FRAMES) cannot be written", path));
  return frames;
}

class Run {
 public:
  Run(const Implementation& implementation, const Options& options)
      : implementation_(implementation), options_(options), scene_(scene_on_all_ranks(options)) {
    use_threads(options.threads);
    simulation_ = start_simulation(implementation, scene_, options.tuning);
    if (!implementation.flops_per_iteration) return;
    const double answer = implementation.flops_per_iteration(n_) / (n_ * n_);
    is_by_worksheet_ = std::isfinite(answer) && answer >= 0;
    if (is_by_worksheet_) flops_ = answer;
  }

  int run() {
    if (is_rank_0()) begin();
    if (options_.profile) implementation_.accelerator->start_profile();
    next_word_ = seconds_now() + seconds_of_silence;
    while (of_rank_0(iterations_ < options_.iterations && !interrupted && frames_.good())) {
      advance(of_rank_0(chunk()));
    }
    // Before anything is read, because that also transfers bodies.
    const std::string profile =
        options_.profile ? implementation_.accelerator->profile(wall_s_) : "";
    const Bodies<double> bodies = simulation_->bodies();
    return is_rank_0() ? finish(bodies, profile) : 0;
  }

 private:
  // What cannot be written is refused here, before hours of computing.
  void begin() {
    std::signal(SIGINT, note_interrupt);
    if (!options_.log.empty()) {
      make_folder_of(options_.log);
      log_.open(options_.log);
      add_to_log(
          "iteration,time,dt,energy,energy_error,momentum_x,momentum_y,momentum_z,"
          "angular_momentum_x,angular_momentum_y,angular_momentum_z,smallest_distance,"
          "force_evaluations,wall_s");
    }
    start_energy_ = energy_of(scene_.bodies);
    if (!options_.write_base.empty()) make_folder_of(options_.write_base);
    write_state(scene_.bodies);
    print_setting();
    if (implementation_.remark)
      fmt::print(stderr, "{}: {}\n", implementation_.name, implementation_.remark);
    const std::vector<double> none_yet(scene_.bodies.size());
    if (is_shown_) show(scene_.bodies, {none_yet, none_yet, none_yet});
  }

  // Steps per batch: one if each is printed or shown, else as many as last about `batch_s`.
  std::uint64_t chunk() const {
    if (is_watched_) return 1;
    const std::uint64_t steps = std::min(chunk_, options_.iterations - iterations_);
    return writes_ ? std::min(steps, options_.every - iterations_ % options_.every) : steps;
  }

  void advance(std::uint64_t steps) {
    const double start = seconds_now();
    const Setting& setting = scene_.setting;
    const double simulated =
        simulation_->advance(steps, {options_.adaptive, setting.dt, setting.dt_floor});
    const double wall = seconds_now() - start;
    const std::uint64_t evaluations = simulation_->evaluations() - evaluations_;
    iterations_ += steps;
    evaluations_ += evaluations;
    wall_s_ += wall;
    // A fixed step: one product, not a sum that depends on how many steps were taken at a time.
    simulated_s_ = options_.adaptive ? simulated_s_ + simulated
                                     : setting.dt * static_cast<double>(iterations_);
    if (wall < batch_s && steps == chunk_) chunk_ *= 2;
    const bool is_due = writes_ && iterations_ % options_.every == 0;
    if (is_due || is_watched_) {
      const Bodies<double> bodies = simulation_->bodies();
      const auto accelerations = is_shown_ ? simulation_->accelerations() : Vectors<double>();
      if (!is_rank_0()) return;
      if (is_due) write_state(bodies);
      if (is_watched_) record_energy(bodies);
      if (options_.verbose) print_iteration(simulated, wall, evaluations);
      if (is_shown_) show(bodies, accelerations);
    }
    if (is_rank_0() && !is_watched_) tell_progress();
  }

  int finish(const Bodies<double>& bodies, const std::string& profile) {
    std::signal(SIGINT, SIG_DFL);
    if (written_ != iterations_) write_state(bodies);
    record_energy(bodies);
    print_summary();
    if (!options_.write_base.empty()) fmt::print("  written     {}\n", file_of_iteration());
    if (log_.is_open()) fmt::print("  written     {}\n", options_.log);
    if (!profile.empty()) fmt::print("\n{}", profile);
    if (iterations_ < options_.iterations) return 130;
    if (is_finite_) return 0;
    fmt::print(stderr,
               "{}: the bodies are no longer finite numbers: the step (--dt) is too large, or a "
               "force is wrong\n",
               implementation_.name);
    return 1;
  }

  // --- energy, files, frames

  double energy_of(const Bodies<double>& bodies) const {
    const Setting& setting = scene_.setting;
    return sums_pairs_ ? total_energy(bodies, setting.G, setting.softening) : 0;
  }

  // (E - E0) / |E0|
  double error_of(double energy) const {
    return (energy - start_energy_) / (start_energy_ != 0 ? std::abs(start_energy_) : 1);
  }

  // And whether the state is finite.
  void record_energy(const Bodies<double>& bodies) {
    for (const auto* column : bodies.columns()) {
      for (const double value : *column) is_finite_ &= std::isfinite(value);
    }
    if (is_finite_) energy_error_ = error_of(energy_of(bodies));
  }

  std::string file_of_iteration() const {
    return fmt::format("{}.{}.dat", options_.write_base, iterations_);
  }

  // What -w and --log write for an iteration.
  void write_state(const Bodies<double>& bodies) {
    const double time = scene_.time + simulated_s_;
    if (!options_.write_base.empty()) {
      write_body_file(file_of_iteration(), {bodies, scene_.setting, time, scene_.names});
    }
    if (log_.is_open()) {
      const double steps = static_cast<double>(iterations_ - written_);
      const double dt = steps > 0 ? (simulated_s_ - simulated_at_row_) / steps : 0;
      const Vector p = momentum(bodies), l = angular_momentum(bodies);
      std::string energies = ",", distance;  // empty
      if (sums_pairs_) {
        const double energy = energy_of(bodies);
        energies = fmt::format("{},{}", energy, error_of(energy));
        distance = fmt::to_string(smallest_distance(bodies));
      }
      add_to_log(fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{:.6g}", iterations_, time, dt,
                             energies, p.x, p.y, p.z, l.x, l.y, l.z, distance, evaluations_,
                             wall_s_));
    }
    written_ = iterations_;
    simulated_at_row_ = simulated_s_;
  }

  void add_to_log(const std::string& line) {
    if (log_ << line << '\n' << std::flush) return;
    throw InputError(fmt::format("--log: {}: cannot be written ({}): choose another place",
                                 options_.log, std::strerror(errno)));
  }

  // The accelerations are those of the state before.
  void show(const Bodies<double>& b, const Vectors<double>& a) {
    const double time = scene_.time + simulated_s_;
    const nlohmann::ordered_json header = {
        {"n", b.size()},
        {"part", implementation_.part},
        {"name", implementation_.name},
        {"precision", name_of(implementation_.precision())},
        {"iteration", iterations_},
        {"time", is_si_ ? human_time(time) : fmt::format("t = {:.4g}", time)},
        {"energy_error", sums_pairs_ ? nlohmann::json(energy_error_) : nullptr},
        {"evaluations", evaluations_},
        {"wall_s", wall_s_}};
    frames_ << header.dump() << '\n';
    const auto put = [&](const auto& number_of) {
      for (std::size_t i = 0; i < b.size(); ++i) {
        const auto number = static_cast<float>(number_of(i));
        frames_.write(reinterpret_cast<const char*>(&number), sizeof number);
      }
    };
    // In kg, the mass of a galaxy is no float.
    const double heaviest = *std::max_element(b.mass.begin(), b.mass.end());
    put([&](std::size_t i) { return b.mass[i] / heaviest; });
    for (const auto* q : {&b.qx, &b.qy, &b.qz}) put([&](std::size_t i) { return (*q)[i]; });
    put([&](std::size_t i) { return std::hypot(b.vx[i], b.vy[i], b.vz[i]); });
    put([&](std::size_t i) { return std::hypot(a.x[i], a.y[i], a.z[i]); });
    frames_.flush();
  }

  // --- what is printed

  void print_setting() const {
    const Setting& setting = scene_.setting;
    const Scheme& scheme = scheme_named(setting.integrator);
    const Tuning tuning = implementation_.choices.chosen(options_.tuning);
    std::string source = options_.file, step = fmt::to_string(setting.dt);
    if (source.empty()) source = fmt::format("scene {}, seed {}", options_.scene, options_.seed);
    if (options_.adaptive) step = fmt::format("adaptive, at least {}", setting.dt_floor);
    fmt::print("{}/{}: {}\n", implementation_.part, implementation_.name, implementation_.summary);
    fmt::print("  bodies      {} ({})\n", n_, source);
    fmt::print("  iterations  {}\n", options_.iterations);
    fmt::print("  time step   {}{}\n", step, is_si_ ? " s" : "");
    fmt::print("  integrator  {}: {}\n", scheme.name, scheme.summary);
    if (setting.damping != 1) fmt::print("  damping     {} per step\n", setting.damping);
    fmt::print("  G, eps      {}, {}\n", setting.G, setting.softening);
    fmt::print("  precision   {}\n", name_of(implementation_.precision()));
    if (const Accelerator* device = implementation_.accelerator) {
      fmt::print("  {:<10}  {}\n", device->on_all_ranks ? "ranks" : "device",
                 device->description());
    } else {
      fmt::print("  threads     {} at most, where the code has OpenMP pragmas\n", threads_in_use());
    }
    if (tuning.block > 0) fmt::print("  block       {} threads\n", tuning.block);
    if (tuning.unroll > 0) fmt::print("  unroll      {}\n", tuning.unroll);
    if (tuning.grid > 0) fmt::print("  grid        {} at most\n", tuning.grid);
    fmt::print("  built by    {} {}\n", machine::compiler_name(), implementation_.flags);
    std::fflush(stdout);
    if (!options_.verbose) return;
    fmt::print("\n");
    print_row("iteration", "simulated", is_si_ ? "dt s" : "dt", "ms", "10^9 interact./s",
              "Gflop/s *", "dE/E0");
  }

  template <typename... Cells>
  static void print_row(const Cells&... cells) {
    fmt::print("{:>10}  {:>18}  {:>10}  {:>10}  {:>16}  {:>10}  {:>9}\n", cells...);
    std::fflush(stdout);
  }

  void print_iteration(double dt, double wall_s, std::uint64_t evaluations) const {
    const auto shown = [&](double number, int digits) {
      return no_speed_ != nullptr ? "-" : fmt::format("{:.{}f}", number, digits);
    };
    const double rate = interaction_rate(evaluations, wall_s);
    const std::string error = is_finite_ ? fmt::format("{:+.1e}", energy_error_) : "not finite";
    print_row(iterations_, simulated_time(), fmt::format("{:.4g}", dt), shown(wall_s * 1e3, 3),
              shown(rate, 4), shown(rate * flops_, 2), sums_pairs_ ? error : "");
  }

  void print_summary() const {
    const double steps = static_cast<double>(std::max<std::uint64_t>(1, iterations_));
    if (iterations_ < options_.iterations) {
      fmt::print("\ninterrupted after {} of {} iterations\n", iterations_, options_.iterations);
    }
    fmt::print("\n  simulated   {}\n", simulated_time());
    fmt::print("  took        {:.4g} s, {:.4g} ms per iteration\n", wall_s_, wall_s_ / steps * 1e3);
    if (!is_finite_) return;  // the speed of a broken run means nothing
    const double rate = interaction_rate(evaluations_, wall_s_);
    if (evaluations_ == 0) {
      fmt::print("  speed       {:.4f} x 10^9 bodies/s\n",
                 wall_s_ > 0 ? n_ * steps / wall_s_ / 1e9 : 0);
    } else if (no_speed_ != nullptr) {
      fmt::print("  speed       not shown: {}\n", no_speed_);
    } else {
      fmt::print("  speed       {:.4f} x 10^9 interactions/s, {:.2f} Gflop/s *\n", rate,
                 rate * flops_);
    }
    if (sums_pairs_) {
      fmt::print("  energy      changed by {:+.2e} of its initial value\n", energy_error_);
    }
    if (no_speed_ != nullptr || evaluations_ == 0) return;
    fmt::print("  * counted as {:.4g} flops per interaction, {}\n", flops_,
               is_by_worksheet_ ? "by the worksheet" : "the literature's convention");
  }

  std::string simulated_time() const {
    return is_si_ ? human_time(simulated_s_) : fmt::format("{:.6g}", simulated_s_);
  }

  // Why no speed is shown; or nullptr.
  const char* speed_is_hidden() const {
    if (implementation_.accelerator && implementation_.accelerator->is_emulated) {
      return "a CPU emulates the GPU here";
    }
    const bool hermite = scheme_named(scene_.setting.integrator).hermite;
    return hermite ? "the jerk, half of the work, is not the program's" : nullptr;
  }

  // 10^9 ordered pairs per second.
  double interaction_rate(std::uint64_t evaluations, double wall_s) const {
    return wall_s > 0 ? n_ * n_ * static_cast<double>(evaluations) / wall_s / 1e9 : 0;
  }

  void tell_progress() {
    const std::uint64_t left = options_.iterations - iterations_;
    if (left == 0 || seconds_now() <= next_word_) return;
    next_word_ = seconds_now() + seconds_of_silence;
    fmt::print(stderr, "{} of {} iterations, about {:.0f} s left\n", iterations_,
               options_.iterations,
               wall_s_ / static_cast<double>(iterations_) * static_cast<double>(left));
  }

  const Implementation& implementation_;
  const Options& options_;
  const Scene scene_;
  const double n_ = static_cast<double>(scene_.bodies.size());
  const bool sums_pairs_ = scene_.bodies.size() <= largest_n_for_energy;
  const bool is_si_ = std::abs(scene_.setting.G / Setting().G - 1) < 0.01;  // else without names
  const char* no_speed_ = speed_is_hidden();
  bool is_by_worksheet_ = false;
  double flops_ = 20;  // of one interaction, by the literature's convention, whatever the code does
  std::ofstream frames_ = frames_of_run();
  const bool is_shown_ = of_rank_0(frames_.is_open());
  const bool is_watched_ = options_.verbose || is_shown_;  // every iteration
  const bool writes_ = !options_.write_base.empty() || !options_.log.empty();
  std::unique_ptr<Simulation> simulation_;
  EndOfRanks end_;  // destroyed before the simulation

  std::uint64_t iterations_ = 0;   // so far
  std::uint64_t evaluations_ = 0;  // of the forces; some schemes need several per iteration
  double wall_s_ = 0;              // time spent advancing, without reading, writing and energies
  double simulated_s_ = 0;
  double start_energy_ = 0, energy_error_ = 0;
  bool is_finite_ = true;
  std::uint64_t chunk_ = 1;
  double next_word_ = 0;  // s
  std::ofstream log_;
  std::uint64_t written_ = 0;    // the iteration that was written last
  double simulated_at_row_ = 0;  // then
};

}  // namespace

int run(const Implementation& implementation, const Options& options) {
  return Run(implementation, options).run();
}

}  // namespace nbody
