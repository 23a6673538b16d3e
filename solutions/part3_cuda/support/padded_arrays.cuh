#pragma once

#include <algorithm>
#include <limits>

#include "arrays.cuh"
#include "cuda/geometry.hpp"
#include "cuda/smallest.cuh"
#include "simulator/simulator.hpp"

namespace nbody {

// Eq. 7 for body i, with the distance that the forces left in acceleration.w.
__device__ inline real time_step_of(const Arrays& velocity, const Arrays& acceleration,
                                    std::size_t i) {
  const real vx = velocity.x[i], vy = velocity.y[i], vz = velocity.z[i];
  const real ax = acceleration.x[i], ay = acceleration.y[i], az = acceleration.z[i];
  const real v = sqrt(vx * vx + vy * vy + vz * vz), a = sqrt(ax * ax + ay * ay + az * az);
  const real nearest2 = acceleration.w[i];
  const real nearest = sqrt(nearest2);
  // At rest, Eq. 7 is 0/0 for two bodies at the same position; without a neighbour there is no
  // step.
  const bool has_step = nearest2 > 0 && nearest2 < no_neighbour;
  return has_step ? real(0.2) * nearest / (v + sqrt(v * v + real(0.2) * a * nearest)) : nearest2;
}

__global__ void time_steps_of_arrays(Arrays velocity, Arrays acceleration, std::size_t n,
                                     real* steps) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) steps[i] = time_step_of(velocity, acceleration, i);
}

// Eq. 5 with the old velocity, then Eq. 4; the step is chosen here, without the host.
__global__ void update_arrays(Arrays q, Arrays v, Arrays a, std::size_t n, StepRule rule,
                              const real* largest_step, double* time) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double step = rule.dt;
  if (rule.adaptive && *largest_step < no_neighbour) {
    step = max(static_cast<double>(*largest_step), rule.dt_floor);
  }
  if (i == 0) *time += step;
  const real dt = static_cast<real>(step);
  q.x[i] += v.x[i] * dt + a.x[i] * dt * dt / 2;
  q.y[i] += v.y[i] * dt + a.y[i] * dt * dt / 2;
  q.z[i] += v.z[i] * dt + a.z[i] * dt * dt / 2;
  v.x[i] += a.x[i] * dt;
  v.y[i] += a.y[i] * dt;
  v.z[i] += a.z[i] * dt;
}

// A kick of the velocities, whose rate is the acceleration, or a drift of the positions.
__global__ void kick_or_drift_arrays(Arrays q, Arrays rate, std::size_t n, real dt) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  q.x[i] += rate.x[i] * dt;
  q.y[i] += rate.y[i] * dt;
  q.z[i] += rate.z[i] * dt;
}

// What the rungs from split on have in common: padded arrays of the bodies, and steps without the
// host. They use separate arrays again, since a load of four numbers puts them into four
// neighbouring registers: see solutions/README.md.
class PaddedArrays : public Simulator {
 public:
  // At least `padding` bodies more than there are.
  PaddedArrays(const Problem& problem, std::size_t padding)
      : n(problem.bodies.size()),
        G(problem.G),
        softening2(problem.softening * problem.softening),
        bodies(n + padding, far_away,
               {&problem.bodies.qx, &problem.bodies.qy, &problem.bodies.qz, &problem.bodies.mass}),
        velocity(n, real(0), {&problem.bodies.vx, &problem.bodies.vy, &problem.bodies.vz}),
        acceleration(n),
        largest_step(blocks_for_smallest(n)),
        steps(n),
        time(std::vector<double>{0}) {}

  void compute_accelerations() override {
    timed("accelerations", [&] { launch_accelerations(false); });
  }
  // Finds the neighbours along with the accelerations, which are computed again.
  real largest_time_step() override {
    timed("accelerations, neighbours", [&] { launch_accelerations(true); });
    timed("time_steps", [&] { launch_time_steps(); });
    const real found = largest_step.front();
    return found < no_neighbour ? found : std::numeric_limits<real>::infinity();
  }
  void update_bodies(real dt) override {
    timed("update", [&] { launch_update({false, static_cast<double>(dt), 0}); });
  }
  void kick(real dt) override { move("kick", velocity, acceleration, dt); }
  void drift(real dt) override { move("drift", bodies, velocity, dt); }

  double advance(std::uint64_t count, const StepRule& rule) override {
    start_clock();
    for (std::uint64_t step = 0; step < count; ++step) {
      timed(rule.adaptive ? "accelerations, neighbours" : "accelerations",
            [&] { launch_accelerations(rule.adaptive); });
      if (rule.adaptive) timed("time_steps", [&] { launch_time_steps(); });
      timed("update", [&] { launch_update(rule); });
    }
    return time_of_clock();
  }

  void copy_state(Bodies<real>& state) const override {
    bodies.copy_to({&state.qx, &state.qy, &state.qz});
    velocity.copy_to({&state.vx, &state.vy, &state.vz});
  }
  void copy_accelerations(Vectors<real>& to) const override {
    acceleration.copy_to({&to.x, &to.y, &to.z});
  }

 protected:
  static constexpr unsigned block = 128;  // of kernels whose work is small

  std::size_t n;
  real G, softening2;
  DeviceArrays bodies, velocity, acceleration;
  DeviceArray<real> largest_step;
  cudaStream_t stream = nullptr;

  // The bodies that this GPU moves: all, unless other GPUs move the rest (part 4).
  struct Range {
    std::size_t begin, count;
  };
  Range own{0, n};
  Arrays own_of(DeviceArrays& arrays) const {
    const Arrays all = arrays.view();
    return {all.x + own.begin, all.y + own.begin, all.z + own.begin, all.w + own.begin};
  }
  // A grid has at least one block.
  unsigned blocks_of_own() const { return std::max(1u, blocks_for(own.count, block)); }

  // Fills acceleration; its w, the squared distances of nearest neighbours, only if requested.
  virtual void launch_accelerations(bool neighbours) = 0;

  // For at least one body.
  virtual void launch_time_steps() {
    time_steps_of_arrays<<<blocks_of_own(), block, 0, stream>>>(
        own_of(velocity), own_of(acceleration), own.count, steps.data());
    launch_smallest(steps.data(), own.count, largest_step.data(), stream);
  }
  virtual void launch_update(const StepRule& rule) {
    update_arrays<<<blocks_of_own(), block, 0, stream>>>(own_of(bodies), own_of(velocity),
                                                         own_of(acceleration), own.count, rule,
                                                         largest_step.data(), time.data());
  }

  void start_clock() { time.copy_from({0}); }
  double time_of_clock() const { return time.front(); }
  double* clock() { return time.data(); }
  real* smallest_step() { return largest_step.data(); }

 private:
  void move(const char* name, DeviceArrays& moved, DeviceArrays& rate, real dt) {
    timed(name, [&] {
      kick_or_drift_arrays<<<blocks_of_own(), block>>>(own_of(moved), own_of(rate), own.count, dt);
    });
  }

  DeviceArray<real> steps;
  DeviceArray<double> time;
};

}  // namespace nbody
