#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "check/zoo/plain.hpp"
#include "simulator/implementation.hpp"

namespace nbody {

// Which of them; "not_at_all" is honest.
inline std::string trick;

using Seconds = std::chrono::duration<double>;

// Right forces, and a trick that makes it look faster, or another program slower.
class Cheat : public Plain {
 public:
  using Plain::Plain;

  double advance(std::uint64_t steps, const StepRule& rule) override {
    if (trick == "sleeps" || trick == "sleeps_always") return sleeps(steps, rule);
    if (trick == "remembers") return remembers(steps, rule);
    if (trick == "spins") spin(2 * std::thread::hardware_concurrency());
    if (trick == "second_thread") spin(1);
    std::uint64_t made = steps;
    longer_ = 1;
    if (trick == "now_and_then" && steps > 1 && std::random_device()() % 2 == 0) {
      made = steps / 2, longer_ = double(steps) / double(made);
    }
    if (trick == "no_steps") made = 0;
    if (trick == "a_step_less" && steps > 4) --made;
    if (trick == "longer") longer_ = 1.5;
    if (trick == "three_quarters") made = steps - steps / 4;
    if (trick == "half_the_steps" && steps > 1)
      made = steps / 2, longer_ = double(steps) / double(made);
    if (rule.adaptive) return Plain::advance(made, rule);
    in_one_go_ = steps > 1 || trick == "rough";
    Plain::advance(made, {false, longer_ * rule.dt, rule.dt_floor});
    in_one_go_ = false;
    const double told = trick == "wrong_clock" && steps > 1 ? 1.1 : 1;
    return told * static_cast<double>(steps) * rule.dt;
  }

  real largest_time_step() override { return real(longer_) * Plain::largest_time_step(); }

  // In advance() only: the accelerations of its end are computed afterwards, and are right.
  void compute_accelerations() override {
    if (trick == "says_right") throw std::runtime_error("right");
    if (in_one_go_ && trick == "half_the_sources") return of_half_the_sources();
    Plain::compute_accelerations();
    if (!in_one_go_) return;
    if (trick == "rough" || trick == "rough_in_one_go") {
      for (real& x : acceleration.x) x *= real(0.99);
    }
    if (trick == "taken_over") take_over();
  }

 private:
  bool in_one_go_ = false;
  double longer_ = 1;  // than a step should be
  unsigned evaluations_ = 0;
  Vectors<real> last_, before_;

  // Three of four forces follow the line through the last two: a real one would not compute them.
  void take_over() {
    if (evaluations_ > 1 && evaluations_ % 4 > 0) {
      for (auto axis : {&Vectors<real>::x, &Vectors<real>::y, &Vectors<real>::z}) {
        for (std::size_t i = 0; i < bodies.size(); ++i) {
          (acceleration.*axis)[i] = 2 * (last_.*axis)[i] - (before_.*axis)[i];
        }
      }
    }
    ++evaluations_;
    before_ = std::exchange(last_, acceleration);
  }

  // Even ones in one step, odd ones in the next.
  void of_half_the_sources() {
    const auto masses = bodies.mass;
    for (std::size_t j = 0; j < masses.size(); ++j) {
      bodies.mass[j] *= real(j % 2 == evaluations_ % 2 ? 0 : 2);
    }
    ++evaluations_;
    Plain::compute_accelerations();
    bodies.mass = masses;
  }

  // Every other time, as if K steps took longer and 2K did not: t(2K) - t(K) shrinks. Or always: a
  // long request takes no longer than a short one.
  double sleeps(std::uint64_t steps, const StepRule& rule) {
    static int asked = 0;
    const auto start = std::chrono::steady_clock::now();
    const double time = Plain::advance(steps, rule);
    const Seconds taken = std::chrono::steady_clock::now() - start;
    if (trick == "sleeps_always") std::this_thread::sleep_until(start + Seconds(0.15));
    if (trick == "sleeps" && ++asked % 2 == 1) std::this_thread::sleep_for(0.3 * taken);
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

  // Threads that go on after the answer, while another program is timed, or as if they did a part
  // of the work.
  static void spin(unsigned threads) {
    static bool spins = false;
    for (unsigned k = 0; k < threads && !spins; ++k) {
      std::thread([] {
        for (std::atomic<unsigned long> turns = 0;;) ++turns;
      }).detach();
    }
    spins = true;
  }
};

inline Implementation cheats() {
  return {"zoo",
          "cheats",
          "looks fast",
          "-O3",
          "",
          +[](const Problem& problem) -> std::unique_ptr<Simulator> {
            return std::make_unique<Cheat>(problem);
          }};
}

}  // namespace nbody
