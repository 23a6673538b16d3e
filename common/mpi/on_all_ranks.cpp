#include "mpi/on_all_ranks.hpp"

#include <exception>
#include <map>
#include <memory>

#include "mpi/command.hpp"
#include "mpi/message_counts.hpp"
#include "simulator/threads.hpp"

namespace nbody {
namespace {

using Call = Command::Call;

// On rank 0: its own simulator, in front of those of the other ranks. An exception may be thrown on
// this rank alone, and the others would wait for ever: so it ends them all.
template <typename T>
class Leader : public SimulatorOf<T> {
 public:
  Leader(const ProblemOf<T>& problem, Maker<T> make) : number_(next_number_++) {
    tell({.call = Call::make, .number = problem.bodies.size(), .threads = threads_asked_for()});
    ProblemOf<T> same = problem;
    share_problem(same);
    with_all([&] { own_ = make(problem); });
  }
  ~Leader() override { tell({.call = Call::destroy}); }

  void compute_accelerations() override {
    on_all({.call = Call::compute_accelerations}, [&] { own_->compute_accelerations(); });
  }
  T largest_time_step() override {
    return on_all({.call = Call::largest_time_step}, [&] { return own_->largest_time_step(); });
  }
  void update_bodies(T dt) override {
    on_all(with_dt(Call::update_bodies, dt), [&] { own_->update_bodies(dt); });
  }
  void kick(T dt) override {
    on_all(with_dt(Call::kick, dt), [&] { own_->kick(dt); });
  }
  void drift(T dt) override {
    on_all(with_dt(Call::drift, dt), [&] { own_->drift(dt); });
  }
  void accelerations_and_jerk(Vectors<T>& accelerations, Vectors<T>& jerk) override {
    on_all({.call = Call::accelerations_and_jerk, .number = accelerations.size()},
           [&] { own_->accelerations_and_jerk(accelerations, jerk); });
  }
  double advance(std::uint64_t steps, const StepRule& rule) override {
    return on_all({.call = Call::advance, .number = steps, .rule = rule},
                  [&] { return own_->advance(steps, rule); });
  }
  void copy_state(Bodies<T>& state) const override {
    on_all({.call = Call::copy_state, .number = state.size()}, [&] { own_->copy_state(state); });
  }
  void copy_accelerations(Vectors<T>& accelerations) const override {
    on_all({.call = Call::copy_accelerations, .number = accelerations.size()},
           [&] { own_->copy_accelerations(accelerations); });
  }

 private:
  static Command with_dt(Call call, T dt) { return {.call = call, .rule = {.dt = dt}}; }
  void tell(Command command) const {
    command.simulator = number_;
    send_to_others(command);
  }

  template <typename Do>
  static auto with_all(const Do& what) {
    struct Waiting {
      Waiting() { others_wait = true; }
      ~Waiting() { others_wait = false; }
    } const waiting;
    try {
      return what();
    } catch (const MissingFunction&) {
      throw;  // on all ranks; the caller knows what to say
    } catch (const std::exception& fault) {
      if (number_of_ranks() == 1) throw;
      stop_all_ranks(fault);
    }
  }

  template <typename Do>
  auto on_all(const Command& command, const Do& what) const {
    tell(command);
    return with_all(what);
  }

  static inline std::uint32_t next_number_ = 0;
  std::uint32_t number_;
  std::unique_ptr<SimulatorOf<T>> own_;
};

// On another rank.
template <typename T>
class Follower {
 public:
  explicit Follower(Maker<T> make) : make_(make) {}

  void do_as_told(const Command& command) {
    if (command.call == Call::make) {
      make(command);
    } else if (command.call == Call::destroy) {
      simulators_.erase(command.simulator);
    } else if (command.call == Call::reset_counts) {
      message_counts() = {};
    } else if (command.call == Call::gather_counts) {
      gathered_message_counts();
    } else {
      call(*simulators_.at(command.simulator), command);
    }
  }

 private:
  void make(const Command& command) {
    use_threads(command.threads);
    ProblemOf<T> problem{};
    problem.bodies.resize(command.number);
    share_problem(problem);
    simulators_[command.simulator] = make_(problem);
  }

  static void call(SimulatorOf<T>& simulator, const Command& command) {
    const T dt = static_cast<T>(command.rule.dt);
    Vectors<T> first, second;
    Bodies<T> state;
    switch (command.call) {
      case Call::compute_accelerations:
        return simulator.compute_accelerations();
      case Call::largest_time_step:
        simulator.largest_time_step();
        return;
      case Call::update_bodies:
        return simulator.update_bodies(dt);
      case Call::kick:
        return simulator.kick(dt);
      case Call::drift:
        return simulator.drift(dt);
      case Call::accelerations_and_jerk:
        first.resize(command.number);
        second.resize(command.number);
        return simulator.accelerations_and_jerk(first, second);
      case Call::advance:
        simulator.advance(command.number, command.rule);
        return;
      case Call::copy_state:
        state.resize(command.number);
        return simulator.copy_state(state);
      case Call::copy_accelerations:
        first.resize(command.number);
        return simulator.copy_accelerations(first);
      default:  // do_as_told() or follow() did it
        return;
    }
  }

  Maker<T> make_;
  std::map<std::uint32_t, std::unique_ptr<SimulatorOf<T>>> simulators_;  // by their numbers
};

}  // namespace

template <typename T>
std::unique_ptr<SimulatorOf<T>> on_all_ranks(const ProblemOf<T>& problem, Maker<T> make) {
  if (own_rank() != 0) return make(problem);
  return std::make_unique<Leader<T>>(problem, make);
}

template <typename T>
void follow(Maker<T> make) {
  Follower<T> follower(make);
  for (Command command = next_command(); command.call != Call::end; command = next_command()) {
    try {
      follower.do_as_told(command);
    } catch (const MissingFunction&) {
      // It is missing on rank 0, too, which reports it.
    }
  }
}

template std::unique_ptr<SimulatorOf<float>> on_all_ranks(const ProblemOf<float>&, Maker<float>);
template std::unique_ptr<SimulatorOf<double>> on_all_ranks(const ProblemOf<double>&, Maker<double>);
template void follow(Maker<float>);
template void follow(Maker<double>);

}  // namespace nbody
