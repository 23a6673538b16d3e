#pragma once

#include <vector>

#include "../../../part3_cuda/naive.cuh"
#include "real4.cuh"

namespace nbody {

// A kick of the velocities, whose rate is the acceleration, or a drift of the positions.
__global__ void kick_or_drift_real4(real4* q, const real4* rate, std::size_t n, real dt) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  q[i].x += rate[i].x * dt;
  q[i].y += rate[i].y * dt;
  q[i].z += rate[i].z * dt;
}

// What float4 and the versions that follow from it share: the bodies stay on the GPU, four numbers
// together, and the host gets them only on request.
class Float4OnDevice : public Simulator {
 public:
  static constexpr auto block_sizes = Naive::block_sizes;

  explicit Float4OnDevice(const Problem& problem)
      : n(problem.bodies.size()),
        G(problem.G),
        softening(problem.softening),
        block(problem.tuning.block),
        bodies(pack4(problem.bodies.qx, problem.bodies.qy, problem.bodies.qz, problem.bodies.mass)),
        velocity(
            pack4(problem.bodies.vx, problem.bodies.vy, problem.bodies.vz, problem.bodies.mass)),
        acceleration(n),
        steps(n),
        smallest_step(1) {}

  void kick(real dt) override { move("kick", velocity, acceleration, dt); }
  void drift(real dt) override { move("drift", bodies, velocity, dt); }

  // The host runs ahead of the GPU; timing needs the steps to be finished.
  double advance(std::uint64_t count, const StepRule& rule) override {
    const double time = Simulator::advance(count, rule);
    cuda_check(cudaDeviceSynchronize());
    return time;
  }

  void copy_state(Bodies<real>& state) const override {
    copy(bodies, state.qx, state.qy, state.qz);
    copy(velocity, state.vx, state.vy, state.vz);
  }
  void copy_accelerations(Vectors<real>& to) const override {
    copy(acceleration, to.x, to.y, to.z);
  }

 protected:
  std::size_t n;
  real G;
  real softening;
  unsigned block;  // threads of a block
  DeviceArray<real4> bodies, velocity, acceleration;
  DeviceArray<real> steps, smallest_step;
  using Numbers = std::vector<real>;

  static void copy(const DeviceArray<real4>& from, Numbers& x, Numbers& y, Numbers& z) {
    std::vector<real4> all;
    from.copy_to(all);
    for (std::size_t i = 0; i < all.size(); ++i) {
      x[i] = all[i].x;
      y[i] = all[i].y;
      z[i] = all[i].z;
    }
  }

 private:
  void move(const char* name, DeviceArray<real4>& q, const DeviceArray<real4>& rate, real dt) {
    timed(name, [&] {
      kick_or_drift_real4<<<blocks_for(n, block), block>>>(q.data(), rate.data(), n, dt);
    });
  }

  static std::vector<real4> pack4(const Numbers& x, const Numbers& y, const Numbers& z,
                                  const Numbers& w) {
    std::vector<real4> all(x.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = {x[i], y[i], z[i], w[i]};
    return all;
  }
};

}  // namespace nbody
