#pragma once

#include "cuda/cuda_check.cuh"
#include "cuda/device_counting.cuh"
#include "simulator/contract.hpp"
#include "work/counting_number.hpp"

namespace nbody {

// Adapts a simulator of part 3 to the count program: outside it uses the CPU's counting number;
// inside, kernels use the GPU's, and their counts are added to work_so_far.
template <typename Counted>
class CountedOnDevice : public SimulatorOf<Counting> {
 public:
  explicit CountedOnDevice(const ProblemOf<Counting>& problem) : simulator_(on_device(problem)) {}

  void compute_accelerations() override {
    add_work([&] { simulator_.compute_accelerations(); });
  }
  Counting largest_time_step() override {
    double step = 0;
    add_work([&] { step = as_double(simulator_.largest_time_step()); });
    return step;
  }
  void update_bodies(Counting dt) override {
    const double step = plain(dt);
    add_work([&] { simulator_.update_bodies(step); });
  }
  void kick(Counting dt) override {
    const double step = plain(dt);
    add_work([&] { simulator_.kick(step); });
  }
  void drift(Counting dt) override {
    const double step = plain(dt);
    add_work([&] { simulator_.drift(step); });
  }
  void accelerations_and_jerk(Vectors<Counting>& accelerations, Vectors<Counting>& jerk) override {
    Vectors<DeviceCounting> inner, inner_jerk;
    inner.resize(accelerations.size());
    inner_jerk.resize(jerk.size());
    add_work([&] { simulator_.accelerations_and_jerk(inner, inner_jerk); });
    aside([&] {
      accelerations = converted<Counting>(inner);
      jerk = converted<Counting>(inner_jerk);
    });
  }
  void copy_state(Bodies<Counting>& state) const override {
    Bodies<DeviceCounting> inner;
    inner.resize(state.size());
    simulator_.copy_state(inner);
    state = converted<Counting>(inner);
  }
  void copy_accelerations(Vectors<Counting>& accelerations) const override {
    Vectors<DeviceCounting> inner;
    inner.resize(accelerations.size());
    simulator_.copy_accelerations(inner);
    accelerations = converted<Counting>(inner);
  }

 private:
  template <typename To, typename From>
  static std::vector<To> converted(const std::vector<From>& values) {
    std::vector<To> to;
    for (const From& value : values) to.push_back(as_double(value));
    return to;
  }
  template <typename To, typename From>
  static Vectors<To> converted(const Vectors<From>& from) {
    return {converted<To>(from.x), converted<To>(from.y), converted<To>(from.z)};
  }
  template <typename To, typename From>
  static Bodies<To> converted(const Bodies<From>& from) {
    return {converted<To>(from.mass), converted<To>(from.radius), converted<To>(from.qx),
            converted<To>(from.qy),   converted<To>(from.qz),     converted<To>(from.vx),
            converted<To>(from.vy),   converted<To>(from.vz)};
  }

  static double plain(const Counting& value) {
    double found = 0;
    aside([&] { found = as_double(value); });
    return found;
  }

  static ProblemOf<DeviceCounting> on_device(const ProblemOf<Counting>& problem) {
    ProblemOf<DeviceCounting> inner;
    aside([&] {
      const auto blocks = block_sizes_of<Counted>();
      const auto unrolls = unrolls_of<Counted>();
      inner = {converted<DeviceCounting>(problem.bodies),
               as_double(problem.G),
               as_double(problem.softening),
               {blocks.empty() ? 0 : blocks.front(), unrolls.empty() ? 0 : unrolls.front()}};
    });
    return inner;
  }

  // Reading the numbers on the host does not count.
  template <typename Function>
  static void aside(const Function& function) {
    const work::Counts before = work::work_so_far;
    function();
    work::work_so_far = before;
  }

  template <typename Function>
  static void add_work(const Function& function) {
    const work::Counts before = work::work_so_far;
    work::Counts done;
    cuda_check(cudaMemcpyToSymbol(device_counting::device_work, &done, sizeof done));
    function();
    cuda_check(cudaDeviceSynchronize());
    cuda_check(cudaMemcpyFromSymbol(&done, device_counting::device_work, sizeof done));
    work::work_so_far = before + done;
  }

  Counted simulator_;
};

}  // namespace nbody
