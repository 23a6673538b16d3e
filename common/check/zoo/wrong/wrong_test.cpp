#include <gtest/gtest.h>
#include <omp.h>
#include <unistd.h>

#include <csignal>

#include "check/zoo/deviation.hpp"
#include "check/zoo/wrong/absolute_constant.hpp"
#include "check/zoo/wrong/adaptive_ignored.hpp"
#include "check/zoo/wrong/adaptive_not_smallest.hpp"
#include "check/zoo/wrong/adaptive_too_large.hpp"
#include "check/zoo/wrong/axis_forgotten.hpp"
#include "check/zoo/wrong/capacity.hpp"
#include "check/zoo/wrong/crash.hpp"
#include "check/zoo/wrong/data_race.hpp"
#include "check/zoo/wrong/distance_sixth.hpp"
#include "check/zoo/wrong/distance_squared.hpp"
#include "check/zoo/wrong/dt_floor_ignored.hpp"
#include "check/zoo/wrong/exits.hpp"
#include "check/zoo/wrong/float_inside_double.hpp"
#include "check/zoo/wrong/gmm_overflow.hpp"
#include "check/zoo/wrong/half_dt.hpp"
#include "check/zoo/wrong/hang.hpp"
#include "check/zoo/wrong/infinite.hpp"
#include "check/zoo/wrong/inputs_changed.hpp"
#include "check/zoo/wrong/last_body_skipped.hpp"
#include "check/zoo/wrong/left_over_steps.hpp"
#include "check/zoo/wrong/mass_of_target.hpp"
#include "check/zoo/wrong/nan.hpp"
#include "check/zoo/wrong/new_velocity.hpp"
#include "check/zoo/wrong/no_acceleration_in_position.hpp"
#include "check/zoo/wrong/no_mass.hpp"
#include "check/zoo/wrong/not_reset.hpp"
#include "check/zoo/wrong/one_sided.hpp"
#include "check/zoo/wrong/one_step_short.hpp"
#include "check/zoo/wrong/one_step_too_many.hpp"
#include "check/zoo/wrong/own_mass.hpp"
#include "check/zoo/wrong/pair_skipped.hpp"
#include "check/zoo/wrong/position_not_updated.hpp"
#include "check/zoo/wrong/previous_accelerations.hpp"
#include "check/zoo/wrong/raw_rsqrt.hpp"
#include "check/zoo/wrong/reversed.hpp"
#include "check/zoo/wrong/self_interaction.hpp"
#include "check/zoo/wrong/shared_tile_not_refreshed.hpp"
#include "check/zoo/wrong/single_axis.hpp"
#include "check/zoo/wrong/softening_ignored.hpp"
#include "check/zoo/wrong/softening_not_squared.hpp"
#include "check/zoo/wrong/source_tail_skipped.hpp"
#include "check/zoo/wrong/stale_accelerations.hpp"
#include "check/zoo/wrong/static_state.hpp"
#include "check/zoo/wrong/swapped.hpp"
#include "check/zoo/wrong/tail_of_eight_skipped.hpp"
#include "check/zoo/wrong/tail_skipped.hpp"
#include "check/zoo/wrong/textbook_root.hpp"
#include "check/zoo/wrong/third_law_sign.hpp"
#include "check/zoo/wrong/throws.hpp"
#include "check/zoo/wrong/tile_index.hpp"
#include "check/zoo/wrong/velocity_not_updated.hpp"
#include "check/zoo/wrong/weak.hpp"
#include "check/zoo/wrong/wrong_g.hpp"
#include "check/zoo/wrong/wrong_sign.hpp"
#include "check/zoo/wrong/wrong_time.hpp"
#include "check/zoo/wrong/zeros.hpp"

namespace nbody {
namespace {

// Far enough from the limit that no other compiler brings it back. NaN is wrong, too.
bool is_wrong(double deviation) { return !(deviation < 1.5); }

template <template <typename> class Animal>
void expect_wrong() {
  EXPECT_TRUE(is_wrong(deviation<Animal, float>()));
  EXPECT_TRUE(is_wrong(deviation<Animal, double>()));
}

TEST(Wrong, AdaptiveIgnored) { expect_wrong<nbody::AdaptiveIgnored>(); }
TEST(Wrong, AdaptiveNotSmallest) { expect_wrong<nbody::AdaptiveNotSmallest>(); }
TEST(Wrong, AdaptiveTooLarge) { expect_wrong<nbody::AdaptiveTooLarge>(); }
TEST(Wrong, DtFloorIgnored) { expect_wrong<nbody::DtFloorIgnored>(); }
TEST(Wrong, HalfDt) { expect_wrong<nbody::HalfDt>(); }
TEST(Wrong, Infinite) { expect_wrong<nbody::Infinite>(); }
TEST(Wrong, InputsChanged) { expect_wrong<nbody::InputsChanged>(); }
TEST(Wrong, LastBodySkipped) { expect_wrong<nbody::LastBodySkipped>(); }
TEST(Wrong, MassOfTarget) { expect_wrong<nbody::MassOfTarget>(); }
TEST(Wrong, Nan) { expect_wrong<nbody::Nan>(); }
TEST(Wrong, NewVelocity) { expect_wrong<nbody::NewVelocity>(); }
TEST(Wrong, NoAccelerationInPosition) { expect_wrong<nbody::NoAccelerationInPosition>(); }
TEST(Wrong, NotReset) { expect_wrong<nbody::NotReset>(); }
TEST(Wrong, OneSided) { expect_wrong<nbody::OneSided>(); }
TEST(Wrong, OneStepShort) { expect_wrong<nbody::OneStepShort>(); }
TEST(Wrong, OneStepTooMany) { expect_wrong<nbody::OneStepTooMany>(); }
TEST(Wrong, OwnMass) { expect_wrong<nbody::OwnMass>(); }
TEST(Wrong, PairSkipped) { expect_wrong<nbody::PairSkipped>(); }
TEST(Wrong, PreviousAccelerations) { expect_wrong<nbody::PreviousAccelerations>(); }
TEST(Wrong, RawRsqrt) { expect_wrong<nbody::RawRsqrt>(); }
TEST(Wrong, Reversed) { expect_wrong<nbody::Reversed>(); }
TEST(Wrong, SelfInteraction) { expect_wrong<nbody::SelfInteraction>(); }
TEST(Wrong, SharedTileNotRefreshed) { expect_wrong<nbody::SharedTileNotRefreshed>(); }
TEST(Wrong, SingleAxis) { expect_wrong<nbody::SingleAxis>(); }
TEST(Wrong, SofteningIgnored) { expect_wrong<nbody::SofteningIgnored>(); }
TEST(Wrong, SofteningNotSquared) { expect_wrong<nbody::SofteningNotSquared>(); }
TEST(Wrong, SourceTailSkipped) { expect_wrong<nbody::SourceTailSkipped>(); }
TEST(Wrong, StaleAccelerations) { expect_wrong<nbody::StaleAccelerations>(); }
TEST(Wrong, StaticState) { expect_wrong<nbody::StaticState>(); }
TEST(Wrong, Swapped) { expect_wrong<nbody::Swapped>(); }
TEST(Wrong, TailSkipped) { expect_wrong<nbody::TailSkipped>(); }
TEST(Wrong, TileIndex) { expect_wrong<nbody::TileIndex>(); }
TEST(Wrong, VelocityNotUpdated) { expect_wrong<nbody::VelocityNotUpdated>(); }
TEST(Wrong, Weak) { expect_wrong<nbody::Weak>(); }
TEST(Wrong, WrongG) { expect_wrong<nbody::WrongG>(); }
TEST(Wrong, WrongTime) { expect_wrong<nbody::WrongTime>(); }
TEST(Wrong, AxisForgotten) { expect_wrong<nbody::AxisForgotten>(); }
TEST(Wrong, DistanceSquared) { expect_wrong<nbody::DistanceSquared>(); }
TEST(Wrong, NoMass) { expect_wrong<nbody::NoMass>(); }
TEST(Wrong, PositionNotUpdated) { expect_wrong<nbody::PositionNotUpdated>(); }
TEST(Wrong, TailOfEightSkipped) { expect_wrong<nbody::TailOfEightSkipped>(); }
TEST(Wrong, ThirdLawSign) { expect_wrong<nbody::ThirdLawSign>(); }
TEST(Wrong, WrongSign) { expect_wrong<nbody::WrongSign>(); }
TEST(Wrong, Zeros) { expect_wrong<nbody::Zeros>(); }

TEST(WrongInOnePrecision, GmmOverflow) {
  EXPECT_TRUE(is_wrong(deviation<GmmOverflow, float>()));
  EXPECT_LE((deviation<GmmOverflow, double>()), 1);
}
TEST(WrongInOnePrecision, DistanceSixth) {
  EXPECT_TRUE(is_wrong(deviation<DistanceSixth, float>()));
  EXPECT_LE((deviation<DistanceSixth, double>()), 1);
}
TEST(WrongInOnePrecision, FloatInsideDouble) {
  EXPECT_LE((deviation<FloatInsideDouble, float>()), 1);
  EXPECT_TRUE(is_wrong(deviation<FloatInsideDouble, double>()));
}

// The close pair of the deviation's problems is 40 times as wide: 1e-20 does not show there.
TEST(WrongWhereBodiesAreClose, AbsoluteConstant) {
  Problem<double> problem{{}, 1, 0};
  problem.bodies.resize(2);
  problem.bodies.mass = {0.5, 0.5};
  problem.bodies.qx = {0, 0x1p-25};
  AbsoluteConstant<double> animal(problem);
  animal.compute_accelerations();
  Vectors<double> a;
  animal.copy_accelerations(a);
  EXPECT_LT(a.x[0] / (0.5 * 0x1p50), 1 - 1.5e-5);
}

TEST(WrongInManySteps, LeftOverSteps) {
  Problem<double> problem{{}, 1, 0};
  problem.bodies.resize(1);
  problem.bodies.mass = {1};
  problem.bodies.vx = {1};
  const auto way_of = [&](std::uint64_t steps) {
    LeftOverSteps<double> animal(problem);
    animal.advance(steps, {false, 0.5, 0});
    Bodies<double> state = problem.bodies;
    animal.copy_state(state);
    return state.qx[0];
  };
  EXPECT_EQ(way_of(127), 63.5);
  EXPECT_EQ(way_of(128), 64);
  EXPECT_EQ(way_of(130), 64);
}

TEST(WrongForFastBodies, TextbookRoot) {
  Problem<float> problem{{}, 1, 0};
  problem.bodies.resize(2);
  problem.bodies.mass = {0.5f, 0.5f};
  problem.bodies.qx = {0, 1};
  problem.bodies.vx = {1000, 1000};
  TextbookRoot<float> animal(problem);
  animal.compute_accelerations();
  EXPECT_GT(std::abs(animal.largest_time_step() / 1e-4f - 1), 0.05f);
}

TEST(WrongBeyondItsSize, Capacity) {
  EXPECT_LE((Deviation<Capacity, double>().worst({129, 1000})), 1);
  EXPECT_TRUE(is_wrong(Deviation<Capacity, float>().worst({4099})));
}

// A race is lost sooner or later, not every time.
TEST(WrongWithThreads, DataRace) {
  const int before = omp_get_max_threads();
  if (omp_get_num_procs() < 2) GTEST_SKIP() << "one core: updates are hardly ever lost";
  omp_set_num_threads(4);
  bool lost = false;
  for (int attempt = 0; attempt < 200 && !lost; ++attempt) {
    lost = is_wrong(Deviation<DataRace, float>().worst({1000}));
  }
  EXPECT_TRUE(lost);
  omp_set_num_threads(1);
  EXPECT_LE((deviation<DataRace, float>()), 1);
  omp_set_num_threads(before);
}

TEST(NoAnswer, Crash) {
  EXPECT_EXIT(Crash<float>(Problem<float>{}).compute_accelerations(),
              testing::KilledBySignal(SIGABRT), "");
}
TEST(NoAnswer, Throws) {
  EXPECT_THROW(Throws<float>(Problem<float>{}).compute_accelerations(), std::out_of_range);
}
TEST(NoAnswer, Exits) {
  EXPECT_EXIT(Exits<float>(Problem<float>{}).compute_accelerations(), testing::ExitedWithCode(0),
              "");
}
TEST(NoAnswer, Hang) {
  const auto wait_a_second = [] {
    alarm(1);
    Hang<float>(Problem<float>{}).compute_accelerations();
  };
  EXPECT_EXIT(wait_a_second(), testing::KilledBySignal(SIGALRM), "");
}

}  // namespace
}  // namespace nbody
