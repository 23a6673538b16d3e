#include "simulator/array_of_bodies.hpp"
#include "simulator/implementation.hpp"

namespace nbody {
namespace {

struct Given : ArrayOfBodies {
  using ArrayOfBodies::ArrayOfBodies;
  void compute_accelerations() override {}
  real largest_time_step() override { return 1; }
  void update_bodies(real) override {}
};
struct Misspelt : Given {
  using Given::Given;
  void compute_acceleration() {}
};
struct WithoutTheWord : Given {
  using Given::Given;
  void compute_accelerations() {}
};
struct AllSteps : Given {
  using Given::Given;
  double advance(std::uint64_t, const StepRule&) override { return 0; }
};
struct Inaccessible : Given {
  using Given::Given;

 private:
  void compute_accelerations() override {}
};

static_assert(remark_on<Misspelt, Given>() != nullptr);
static_assert(!remark_on<WithoutTheWord, Given>() && !remark_on<AllSteps, Given>());
static_assert(!remark_on<Inaccessible, Given>() && !remark_on<ArrayOfBodies, Given>());

}  // namespace
}  // namespace nbody
