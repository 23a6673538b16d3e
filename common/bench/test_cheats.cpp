// The program `cheats`: right forces, and a trick that makes it look faster, or another program
// slower.
//
//   cheats --cheat sleeps --serve

#include <atomic>
#include <chrono>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "bodies/input_error.hpp"
#include "check/zoo/plain.hpp"
#include "command_line/run_main.hpp"
#include "simulator/implementation.hpp"
#include "simulator/run_simulator.hpp"

namespace nbody::bench {
namespace {

std::string trick;

using Seconds = std::chrono::duration<double>;

class Cheat : public Plain {
 public:
  using Plain::Plain;

  double advance(std::uint64_t steps, const StepRule& rule) override {
    if (trick == "sleeps") return sleeps(steps, rule);
    if (trick == "sleeps_always") return sleeps_always(steps, rule);
    if (trick == "remembers") return remembers(steps, rule);
    if (trick == "spins") spin_for_ever();
    std::uint64_t made = steps;
    double longer = 1;
    if (trick == "no_steps") made = 0;
    if (trick == "three_quarters") made = steps - steps / 4;
    if (trick == "half_the_steps" && steps > 1)
      made = steps / 2, longer = double(steps) / double(made);
    if (rule.adaptive) return adaptive_steps(made, longer, rule);
    Plain::advance(made, {false, longer * rule.dt, rule.dt_floor});
    return static_cast<double>(steps) * rule.dt;
  }

 private:
  // Longer ones than Eq. 7 allows.
  double adaptive_steps(std::uint64_t steps, double longer, const StepRule& rule) {
    double time = 0;
    for (std::uint64_t step = 0; step < steps; ++step) {
      compute_accelerations();
      const double dt = longer * std::max(as_double(largest_time_step()), rule.dt_floor);
      update_bodies(real(dt));
      time += dt;
    }
    return time;
  }

  // Every other time, as if K steps took longer and 2K did not: t(2K) - t(K) shrinks.
  double sleeps(std::uint64_t steps, const StepRule& rule) {
    static int asked = 0;
    const auto start = std::chrono::steady_clock::now();
    const double time = Plain::advance(steps, rule);
    const Seconds taken = std::chrono::steady_clock::now() - start;
    if (++asked % 2 == 1) std::this_thread::sleep_for(0.3 * taken);
    return time;
  }

  // A long request takes no longer than a short one.
  double sleeps_always(std::uint64_t steps, const StepRule& rule) {
    const auto end = std::chrono::steady_clock::now() + Seconds(0.15);
    const double time = Plain::advance(steps, rule);
    std::this_thread::sleep_until(end);
    return time;
  }

  // The trajectory of the bodies sent last, as far as it was ever computed.
  double remembers(std::uint64_t steps, const StepRule& rule) {
    static std::vector<Bodies<real>> way;
    static double dt = 0;
    if (way.empty() || !(way.front() == bodies) || dt != rule.dt) way = {bodies};
    dt = rule.dt;
    for (bodies = way.back(); way.size() <= steps; way.push_back(bodies)) Plain::advance(1, rule);
    bodies = way[steps];
    return static_cast<double>(steps) * rule.dt;
  }

  // Threads that go on after the answer, while another program is timed.
  static void spin_for_ever() {
    static bool spins = false;
    if (spins) return;
    spins = true;
    for (unsigned k = 0; k < 2 * std::thread::hardware_concurrency(); ++k) {
      std::thread([] {
        for (std::atomic<unsigned long> turns = 0;;) ++turns;
      }).detach();
    }
  }
};

}  // namespace

}  // namespace nbody::bench

const nbody::Implementation nbody::implementation{
    "zoo",
    "cheats",
    "looks fast",
    "-O3",
    "",
    +[](const Problem& problem) -> std::unique_ptr<Simulator> {
      return std::make_unique<bench::Cheat>(problem);
    }};

int main(int argc, char** argv) {
  return nbody::command_line::run_main("cheats", [&] {
    for (int k = 1; k + 1 < argc; ++k) {
      if (std::strcmp(argv[k], "--cheat") != 0) continue;
      nbody::bench::trick = argv[k + 1];
      for (int next = k + 2; next <= argc; ++next) argv[next - 2] = argv[next];
      return nbody::run_simulator(argc - 2, argv);
    }
    throw nbody::InputError("needs --cheat NAME");
  });
}
