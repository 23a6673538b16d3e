#include "machine/team.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "machine/clock.hpp"
#include "machine/core_clock.hpp"

namespace nbody::machine {
namespace {

constexpr double longest_window = 0.01;  // seconds
constexpr int fewest_windows = 5;

struct Window {
  double start, end, amount;
};

// Threads continue when all have arrived. They spin: a sleeping thread wakes late.
class Gate {
 public:
  explicit Gate(std::size_t threads) : threads_(threads) {}
  void pass(std::size_t time) {
    ++here_;
    while (here_ < threads_ * (time + 1)) {
    }
  }

 private:
  const std::size_t threads_;
  std::atomic<std::size_t> here_{0};
};

void bind_to(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<std::size_t>(cpu), &set);
  sched_setaffinity(0, sizeof set, &set);
}

// Warms up; returns how many pieces fit into a window on this core.
long pieces_of_a_window(const Work& work, double warm_up, double window) {
  const double start = seconds_now();
  long pieces = 0;
  double taken = 0;
  while (taken < warm_up || pieces < 2) {
    work();
    ++pieces;
    taken = seconds_now() - start;
  }
  return std::max(1L, static_cast<long>(static_cast<double>(pieces) * window / taken));
}

std::vector<Window> windows_of(const Work& work, const Budget& budget, Gate& gate) {
  const double window = std::min(longest_window, budget.measured / fewest_windows);
  const long pieces = pieces_of_a_window(work, budget.warm_up, window);
  std::vector<Window> windows(static_cast<std::size_t>(budget.measured / window + 0.5));
  for (std::size_t time = 0; time < windows.size(); ++time) {
    gate.pass(time);
    double amount = 0;
    const double start = seconds_now();
    for (long piece = 0; piece < pieces; ++piece) amount += work();
    windows[time] = {start, seconds_now(), amount};
  }
  return windows;
}

// From the first start to the last end: a delayed thread makes it longer.
double rate_in(const std::vector<std::vector<Window>>& threads, std::size_t time) {
  Window all = threads.front()[time];
  for (std::size_t k = 1; k < threads.size(); ++k) {
    const Window& one = threads[k][time];
    all = {std::min(all.start, one.start), std::max(all.end, one.end), all.amount + one.amount};
  }
  return all.amount / (all.end - all.start);
}

}  // namespace

Rate rate_of(const std::vector<int>& cpus, const std::function<Work(std::size_t)>& work_of,
             const Budget& budget) {
  std::vector<std::vector<Window>> windows(cpus.size());
  Gate gate(cpus.size());
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < cpus.size(); ++k) {
    threads.emplace_back([&, k] {
      if (cpus.size() > 1) bind_to(cpus[k]);
      windows[k] = windows_of(work_of(k), budget, gate);
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::vector<double> rates;
  for (std::size_t time = 0; time < windows.front().size(); ++time) {
    rates.push_back(rate_in(windows, time));
  }
  const Measured measured = measured_of(rates);
  return {*std::max_element(rates.begin(), rates.end()), measured.median, measured.spread};
}

}  // namespace nbody::machine
