#pragma once

#include <cstdint>
#include <functional>

#include "bench/core_use.hpp"
#include "bench/halves.hpp"
#include "bench/measure.hpp"
#include "bench/step_time.hpp"
#include "core/random.hpp"
#include "session/session.hpp"

namespace nbody::bench {

// One of the scenes of a plan, and how long its bodies can be followed (fresh_scene.hpp).
struct TypicalScene {
  Scene scene;
  double time = 0;
};

// Thrown by `on_wait` of a runner: nobody waits for its numbers any more.
struct Stopped {};

// One program under one plan, measured a round at a time; the caller decides the order.
class Runner {
 public:
  // What it refers to must outlive it. `on_wait` is called while an answer is waited for, and may
  // throw Stopped.
  Runner(const PlannedRow& row, const Plan& plan, const TypicalScene& typical,
         std::function<void()> on_wait = {});

  // Also warms up: grows K until requests of about K steps take long enough to be measured. Where
  // one step does, a round is a single request.
  void choose_steps();
  int rounds() const { return rounds_; }
  // Seconds per step; 0 if the machine was too busy in six attempts, or after a fault. `wait_s` is
  // left for waiting until others leave it enough cores.
  double measure(double& wait_s);
  // Asks again for parts of some timed answers: were all their steps made?
  void judge_steps();
  Timing finish();

  const PlannedRow& row() const { return row_; }
  const Timing& result() const { return result_; }
  double timed_seconds() const { return all_.seconds; }

 private:
  // A request ready to be sent, and what its answer is compared with.
  struct Prepared {
    Request request;
    std::vector<std::size_t> rows;
  };
  // What part of the wanted time the steps between a short and a long request take.
  struct Lever {
    double part = 0;
    double least = 0;  // s that are wanted
  };
  template <typename Action>
  void guarded(Action action) {
    if (!result_.fault.empty()) return;
    try {
      action();
    } catch (const SessionError& error) {  // what a program says of itself is quoted
      const bool refused = error.kind == SessionError::Kind::refused ||
                           error.kind == SessionError::Kind::unsupported;
      result_.fault = (refused ? "stopped with: " : "") + std::string(error.what());
      if (error.kind == SessionError::Kind::late) result_.outcome = NoNumbers::late;
    } catch (const Stopped&) {
      stopped_ = true;
    }
  }
  std::array<std::uint64_t, 3> lengths_around(std::uint64_t steps);
  // Of all its bodies, if not of fewer.
  Prepared prepared(std::uint64_t steps, std::size_t fewer = 0);
  double seconds_for(std::uint64_t steps, std::size_t fewer = 0);
  Answer ask(const Request& request);
  void estimate_evaluation();
  void measure_one_by_one();
  Lever lever(double without_steps);
  void grow_steps(double without_steps);
  double ask_round();
  void wake();
  void check(Prepared& asked, Answer& answer);
  void remember(Prepared& asked, Answer& answer);
  void note_crooked_lines();
  void note_wrong(const std::string& what);

  const PlannedRow& row_;
  const Plan& plan_;
  const TypicalScene& typical_;
  const Precision precision_;
  const unsigned workers_;  // threads of all its processes
  const std::function<void()> on_wait_;
  Session session_;
  Random random_;
  std::uint64_t steps_ = 1;
  bool single_ = false;            // a round is one request of one step
  double evaluation_seconds_ = 0;  // at most, of all forces
  double start_seconds_ = 0;       // of a request, if it starts slowly
  int rounds_;                     // as many of the plan's as there is time for
  bool stopped_ = false;
  CoreUse last_, all_;        // of the last timed requests, and of all
  int starved_in_a_row_ = 0;  // rounds without enough cores
  std::size_t starved_ = 0;   // attempts of rounds
  std::vector<StepTime> lines_;
  std::vector<TimedAnswer> to_judge_;  // a few, drawn from all timed answers
  std::uint64_t answers_ = 0;
  Timing result_;
};

}  // namespace nbody::bench
