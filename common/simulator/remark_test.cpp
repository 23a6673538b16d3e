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

#define MINE(remark, name, ...) \
  struct name : Given {         \
    using Given::Given;         \
    __VA_ARGS__                 \
  };                            \
  static_assert((remark_on<name, Given>() != nullptr) == remark)

MINE(true, Empty, );
MINE(true, Misspelt, void compute_acceleration(){});
MINE(
    true, OwnHelper, virtual real largest_timestep() { return 1; });
MINE(true, OtherArgument, void update_bodies(char){});
MINE(true, Constant, void compute_accelerations() const {});
MINE(false, WithoutTheWord, void compute_accelerations(){});
MINE(false, WithoutExceptions, void compute_accelerations() noexcept override{});
MINE(false, AnotherOne, void update_bodies(const real) final{});
MINE(
    false, AllSteps, double advance(std::uint64_t, const StepRule&) override { return 0; });
MINE(false, Inaccessible, private : void compute_accelerations() override{});
static_assert(remark_on<ArrayOfBodies, Given>() == nullptr);

}  // namespace
}  // namespace nbody
