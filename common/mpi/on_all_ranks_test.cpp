// Calls on rank 0 reach the simulators of all ranks, with what they need. Run by mpiexec on several
// ranks.
#include "mpi/on_all_ranks.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <mpi.h>

#include "mpi/command.hpp"

namespace nbody {
namespace {

// What was called on this rank, a line each, and in the end what it says of itself.
std::string called;

// Every rank notes each call, with the number of the simulator that got it.
class Recorder : public SimulatorOf<float> {
 public:
  explicit Recorder(const ProblemOf<float>& problem) : number_(made_++) {
    const Bodies<float>& b = problem.bodies;
    note("made of {} bodies, first {} {} {} {}, last {} {} {} {}, G {}, softening {}, block {}",
         b.size(), b.mass.front(), b.radius.front(), b.qx.front(), b.qy.front(), b.qz.back(),
         b.vx.back(), b.vy.back(), b.vz.back(), problem.G, problem.softening, problem.tuning.block);
  }
  ~Recorder() override { note("destroyed"); }

  void compute_accelerations() override { note("compute_accelerations"); }
  float largest_time_step() override {
    note("largest_time_step");
    return 0.5F;
  }
  void update_bodies(float dt) override { note("update_bodies {}", dt); }
  void kick(float dt) override { note("kick {}", dt); }
  void drift(float dt) override { note("drift {}", dt); }
  void accelerations_and_jerk(Vectors<float>& accelerations, Vectors<float>& jerk) override {
    note("accelerations_and_jerk {} {}", accelerations.size(), jerk.size());
  }
  double advance(std::uint64_t steps, const StepRule& rule) override {
    note("advance {} {} {} {}", steps, rule.adaptive, rule.dt, rule.dt_floor);
    return 7;
  }
  void copy_state(Bodies<float>& state) const override { note("copy_state {}", state.size()); }
  void copy_accelerations(Vectors<float>& accelerations) const override {
    note("copy_accelerations {}", accelerations.size());
  }

 private:
  template <typename... Values>
  void note(const char* text, const Values&... values) const {
    called += fmt::format("{}: {}\n", number_, fmt::format(fmt::runtime(text), values...));
  }
  static inline int made_ = 0;
  int number_;
};

// Without kick(), as of an implementation with a layout of its own.
class WithoutKick : public Recorder {
 public:
  using Recorder::Recorder;
  void kick(float dt) override { SimulatorOf<float>::kick(dt); }
};

std::unique_ptr<SimulatorOf<float>> make(const ProblemOf<float>& problem) {
  if (problem.bodies.size() == 1) return std::make_unique<WithoutKick>(problem);
  return std::make_unique<Recorder>(problem);
}

ProblemOf<float> problem_of(std::size_t n) {
  ProblemOf<float> problem{{}, 2.0F, 0.25F, {64, 4, 0}};
  problem.bodies.resize(n);
  float next = 1;
  Bodies<float>& b = problem.bodies;
  for (auto* column : {&b.mass, &b.radius, &b.qx, &b.qy, &b.qz, &b.vx, &b.vy, &b.vz}) {
    for (float& value : *column) value = next++;
  }
  return problem;
}

TEST(OnAllRanks, CallsReachTheSimulatorOfEachRank) {
  {
    const auto one = on_all_ranks<float>(problem_of(3), make);
    const auto other = on_all_ranks<float>(problem_of(1000), make);
    one->compute_accelerations();
    EXPECT_EQ(other->largest_time_step(), 0.5F);
    one->update_bodies(0.125F);
    other->kick(0.25F);
    one->drift(-0.5F);
    Vectors<float> accelerations, jerk;
    accelerations.resize(3);
    jerk.resize(3);
    one->accelerations_and_jerk(accelerations, jerk);
    EXPECT_EQ(other->advance(std::uint64_t{1} << 40, {true, 0.1, 1e-300}), 7);
    Bodies<float> state;
    state.resize(1000);
    other->copy_state(state);
    one->copy_accelerations(accelerations);
  }
  const auto without = on_all_ranks<float>(problem_of(1), make);
  EXPECT_THROW(without->kick(1), MissingFunction);
  without->compute_accelerations();
  EXPECT_NE(called.find("1: made of 1000 bodies, first 1 1001 2001 3001, last 5000 6000 7000 8000, "
                        "G 2, softening 0.25, block 64\n"),
            std::string::npos)
      << called;
  EXPECT_NE(called.find("1: advance 1099511627776 true 0.1 1e-300\n"), std::string::npos);
}

TEST(OnAllRanks, TheOtherRanksEndWithRank0) { send_to_others({.call = Command::Call::end}); }

// All ranks were told the same: rank 0 compares.
int compare_with_others(int status) {
  int size = static_cast<int>(called.size());
  MPI_Bcast(&size, 1, MPI_INT, 0, MPI_COMM_WORLD);
  std::string expected = called;
  expected.resize(static_cast<std::size_t>(size));
  MPI_Bcast(expected.data(), size, MPI_CHAR, 0, MPI_COMM_WORLD);
  if (called != expected) {
    fmt::print(stderr, "rank {} was called\n{}and rank 0\n{}", own_rank(), called, expected);
    status = 1;
  }
  int worst = 0;
  MPI_Allreduce(&status, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return worst;
}

}  // namespace
}  // namespace nbody

int main(int argc, char** argv) {
  using namespace nbody;
  join_world();
  int status = 0;
  if (own_rank() == 0) {
    testing::InitGoogleTest(&argc, argv);
    status = number_of_ranks() > 1 ? RUN_ALL_TESTS() : 1;
  } else {
    follow<float>(make);
  }
  status = compare_with_others(status);
  leave_world();
  return status;
}
