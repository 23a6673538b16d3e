#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "view/simulated.hpp"
#include "view/snapshot.hpp"

namespace nbody::view {

// The user's requests to all simulations in the window.
struct Wish {
  bool paused = false;
  bool accelerations = false;
  double iterations_per_second = 0;  // 0: as fast as possible
  std::uint64_t single_steps = 0;    // pressed since the start
};

// Simulates in a thread of its own, so that drawing never waits.
class Player {
 public:
  using Make = std::function<std::unique_ptr<Simulated>()>;

  explicit Player(Make make);
  ~Player();
  Player(const Player&) = delete;
  Player& operator=(const Player&) = delete;

  void want(const Wish& wish);
  Shown latest() const;       // null until the first answer
  std::string fault() const;  // empty: all is well
  // Asks it to end; false if it is still computing a step.
  bool ends_within(std::chrono::milliseconds patience);

 private:
  void work(const Make& make);
  void play(Simulated& simulated);
  bool waits_for_turn();
  std::uint64_t steps_now(double answer_s);
  void show(Shown shown);

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  Wish wish_;
  Shown latest_;
  std::string fault_;
  bool stop_ = false, ended_ = false;

  // Used by the thread only.
  std::uint64_t steps_ = 1, steps_taken_ = 0;
  std::chrono::steady_clock::time_point due_ = {};
  std::thread thread_;
};

}  // namespace nbody::view
