#include "view/player.hpp"

#include <algorithm>
#include <cmath>

namespace nbody::view {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double pictures_per_second = 60;  // a request takes at least as long as a picture
constexpr double longest_answer_s = 0.05;   // while a person waits for a key press to take effect

}  // namespace

Player::Player(Make make) : thread_([this, make = std::move(make)] { work(make); }) {}

Player::~Player() {
  ends_within(std::chrono::milliseconds(0));
  if (thread_.joinable()) thread_.join();
}

void Player::want(const Wish& wish) {
  const std::lock_guard lock(mutex_);
  wish_ = wish;
  changed_.notify_all();
}

Shown Player::latest() const {
  const std::lock_guard lock(mutex_);
  return latest_;
}

std::string Player::fault() const {
  const std::lock_guard lock(mutex_);
  return fault_;
}

bool Player::ends_within(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  stop_ = true;
  changed_.notify_all();
  return changed_.wait_for(lock, patience, [&] { return ended_; });
}

void Player::work(const Make& make) {
  std::string fault;
  try {
    const auto simulated = make();
    show(simulated->begin(false));
    play(*simulated);
  } catch (const std::exception& error) {
    fault = error.what();
  }
  const std::lock_guard lock(mutex_);
  fault_ = fault;
  ended_ = true;
  changed_.notify_all();
}

void Player::play(Simulated& simulated) {
  while (!latest()->finished && latest()->finite && waits_for_turn()) {
    bool accelerations = false;
    {
      const std::lock_guard lock(mutex_);
      accelerations = wish_.accelerations;
    }
    show(simulated.advance(steps_now(simulated.answer_seconds()), accelerations));
  }
}

// False if it must end.
bool Player::waits_for_turn() {
  std::unique_lock lock(mutex_);
  const auto may_go = [&] {
    return stop_ || wish_.single_steps > steps_taken_ ||
           (!wish_.paused && (wish_.iterations_per_second == 0 || Clock::now() >= due_));
  };
  while (!may_go()) {
    if (wish_.paused) {
      changed_.wait(lock);
    } else {
      changed_.wait_until(lock, due_);
    }
  }
  return !stop_;
}

// One for a key press; the number per picture; or as many as the longest answer allows.
std::uint64_t Player::steps_now(double answer_s) {
  const std::lock_guard lock(mutex_);
  if (wish_.single_steps > steps_taken_) {
    ++steps_taken_;
    return 1;
  }
  const double share = answer_s > 0 ? longest_answer_s / answer_s : 2;
  const double allowed = std::clamp(static_cast<double>(steps_) * std::min(share, 2.0), 1.0, 1e6);
  double steps = allowed;
  if (wish_.iterations_per_second > 0) {
    steps = std::clamp(wish_.iterations_per_second / pictures_per_second, 1.0, allowed);
    const std::chrono::duration<double> pause(std::floor(steps) / wish_.iterations_per_second);
    // Missed iterations are not made up for.
    due_ = std::max(due_, Clock::now() - std::chrono::milliseconds(50)) +
           std::chrono::duration_cast<Clock::duration>(pause);
  }
  steps_ = static_cast<std::uint64_t>(steps);
  return steps_;
}

void Player::show(Shown shown) {
  const std::lock_guard lock(mutex_);
  latest_ = std::move(shown);
}

}  // namespace nbody::view
