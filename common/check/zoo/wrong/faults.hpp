#pragma once

#include <unistd.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <stdexcept>
#include <thread>
#include <vector>

#include "check/zoo/plain.hpp"

namespace nbody {

// It is not the answer that is wrong: the program dies, never answers, never ends, or leaks.

// The program dies of a signal, as after a write out of bounds.
class Crash : public Plain {
 public:
  using Plain::Plain;

  void compute_accelerations() override { std::abort(); }
};

// The program exits with status 0 (success) without an answer.
class Exits : public Plain {
 public:
  using Plain::Plain;

  void compute_accelerations() override { std::exit(0); }
};

// As a kernel whose tile has room for 256 bodies: the program starts with wider blocks, too, and
// dies of its first request.
class DiesWithWideBlocks : public Plain {
 public:
  static constexpr std::array block_sizes = {256u, 16u, 64u, 128u, 512u, 1024u};

  explicit DiesWithWideBlocks(const Problem& problem)
      : Plain(problem), block(problem.tuning.block) {}

  void compute_accelerations() override {
    if (block > 256) std::abort();
    Plain::compute_accelerations();
  }

 private:
  unsigned block;
};

// The search reads what compute_accelerations() should have filled, but that name is misspelt, so
// the base's is called.
class Misspelt : public Plain {
 public:
  using Plain::Plain;

  virtual void compute_acceleration() {
    Plain::compute_accelerations();
    for (std::size_t i = 0; i < bodies.size(); ++i) nearest.push_back(nearest_distance(i));
  }
  real largest_time_step() override {
    const real* volatile unknown = nearest.data();
    return bodies.size() < 2 ? Plain::largest_time_step() : time_to_cover(real(0.1) * *unknown, 0);
  }

 private:
  std::vector<real> nearest;
};

// An exception leaves the simulator.
class Throws : public Plain {
 public:
  using Plain::Plain;

  void compute_accelerations() override { throw std::out_of_range("index 8 of 7"); }
};

// The program never answers, as in a deadlock or a loop whose counter is too small for n.
class Hang : public Plain {
 public:
  using Plain::Plain;

  void compute_accelerations() override {
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  }
};

// A static object waits in its destructor: each answer is right, but the program never ends.
class NeverEnds : public Plain {
 public:
  using Plain::Plain;

  void compute_accelerations() override {
    struct Waits {
      ~Waits() {
        while (true) ::pause();
      }
    };
    static const Waits waits;
    Plain::compute_accelerations();
  }
};

// Leaks an array with each simulator.
class Leaks : public Plain {
 public:
  explicit Leaks(const Problem& problem) : Plain(problem), own_(new real[problem.bodies.size()]) {
    for (std::size_t i = 0; i < problem.bodies.size(); ++i) own_[i] = problem.bodies.mass[i];
  }

  void compute_accelerations() override {
    for (std::size_t i = 0; i < bodies.size(); ++i) bodies.mass[i] = own_[i];
    Plain::compute_accelerations();
  }

 private:
  real* own_;
};

}  // namespace nbody
