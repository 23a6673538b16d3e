#include <gtest/gtest.h>

#include "simulator/array_of_bodies.hpp"
#include "simulator/implementation.hpp"

namespace nbody {
namespace {

// Hiding instead of overriding is what these classes are for; g++ 13 and later warn of it.
#pragma GCC diagnostic ignored "-Woverloaded-virtual"

struct Given : ArrayOfBodies {
  using ArrayOfBodies::ArrayOfBodies;
  void compute_accelerations() override {}
  real largest_time_step() override { return 1; }
  void update_bodies(real) override {}
};

// clang-format off
#define MINE(name, base, ...) struct name : base { using base::base; __VA_ARGS__ }
MINE(Empty, Given, );
MINE(Misspelt, Given, void compute_acceleration() {});
MINE(OwnHelper, Given, virtual real largest_timestep() { return 1; });
MINE(OtherArgument, Given, void update_bodies(char) {});
MINE(Constant, Given, void compute_accelerations() const {});

MINE(Overrides, Given, void compute_accelerations() override {});
MINE(WithoutTheWord, Given, void compute_accelerations() {});
MINE(WithoutExceptions, Given, void compute_accelerations() noexcept override {});
MINE(AnotherOne, Given, void update_bodies(const real) final {});
MINE(AllSteps, Given, double advance(std::uint64_t, const StepRule&) override { return 0; });
MINE(Overloaded, Given, void update_bodies(real) override {} void update_bodies(char) {});
MINE(Inaccessible, Given, private: void compute_accelerations() override {});
MINE(ByItsBase, Overrides, void helper() {});
MINE(NotOfGiven, ArrayOfBodies, );
// clang-format on

template <typename... Classes>
constexpr int remarks = (0 + ... + (remark_on<Classes, Given>() != nullptr));

TEST(Remark, OnClassesThatOverrideNothing) {
  EXPECT_EQ((remarks<Empty, Misspelt, OwnHelper, OtherArgument, Constant>), 5);
  EXPECT_EQ((remarks<Overrides, WithoutTheWord, WithoutExceptions, AnotherOne, AllSteps, Overloaded,
                     Inaccessible, ByItsBase, NotOfGiven>),
            0);
}

}  // namespace
}  // namespace nbody
