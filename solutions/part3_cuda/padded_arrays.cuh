#pragma once

#include <limits>
#include <vector>

#include "cuda/device_array.cuh"
#include "cuda/geometry.hpp"
#include "cuda/smallest.cuh"
#include "simulator/simulator.hpp"

namespace nbody {

// Bodies that only fill up the last block stand here, with mass 0: farther than any body, and the
// square is a float.
template <typename T>
constexpr T far_away = T(1e15);

template <typename T>
constexpr T no_neighbour = T(1e30);  // a squared distance

// Positions and masses, velocities, or accelerations and squared distances of nearest neighbours.
template <typename T>
struct Arrays {
  T *x, *y, *z, *w;
};

template <typename T>
class DeviceArrays {
 public:
  explicit DeviceArrays(std::size_t size) : size_(size), numbers_(4 * size) {}
  // w is optional; what the vectors do not fill is `filling`, and its w is 0.
  DeviceArrays(std::size_t size, T filling, const std::vector<const std::vector<T>*>& columns)
      : DeviceArrays(size) {
    std::vector<T> all(4 * size, filling);
    std::fill(all.begin() + 3 * static_cast<std::ptrdiff_t>(size), all.end(), T(0));
    for (std::size_t c = 0; c < columns.size(); ++c) {
      std::copy(columns[c]->begin(), columns[c]->end(),
                all.begin() + static_cast<std::ptrdiff_t>(c * size));
    }
    numbers_.copy_from(all);
  }

  Arrays<T> view() {
    T* x = numbers_.data();
    return {x, x + size_, x + 2 * size_, x + 3 * size_};
  }

  // The first to.size() ones.
  void copy_to(const std::vector<std::vector<T>*>& columns) const {
    std::vector<T> all;
    numbers_.copy_to(all);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const auto from = all.begin() + static_cast<std::ptrdiff_t>(c * size_);
      std::copy_n(from, columns[c]->size(), columns[c]->begin());
    }
  }

 private:
  std::size_t size_;
  DeviceArray<T> numbers_;
};

// Eq. 7, with what the forces left in acceleration.w.
template <typename T>
__global__ void time_steps_of_arrays(Arrays<T> velocity, Arrays<T> acceleration, std::size_t n,
                                     T* steps) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const T vx = velocity.x[i], vy = velocity.y[i], vz = velocity.z[i];
  const T ax = acceleration.x[i], ay = acceleration.y[i], az = acceleration.z[i];
  const T v = sqrt(vx * vx + vy * vy + vz * vz), a = sqrt(ax * ax + ay * ay + az * az);
  const T nearest2 = acceleration.w[i];
  const T nearest = sqrt(nearest2);
  steps[i] = nearest2 < no_neighbour<T>
                 ? T(0.2) * nearest / (v + sqrt(v * v + T(0.2) * a * nearest))
                 : no_neighbour<T>;
}

// Eq. 5 with the old velocity, then Eq. 4; the step is chosen here, so that the host need not know
// it.
template <typename T>
__global__ void update_arrays(Arrays<T> q, Arrays<T> v, Arrays<T> a, std::size_t n, StepRule rule,
                              const T* largest_step, double* time) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double step = rule.dt;
  if (rule.adaptive && *largest_step < no_neighbour<T>) {
    step = max(static_cast<double>(*largest_step), rule.dt_floor);
  }
  if (i == 0) *time += step;
  const T dt = static_cast<T>(step);
  q.x[i] += v.x[i] * dt + a.x[i] * dt * dt / T(2);
  q.y[i] += v.y[i] * dt + a.y[i] * dt * dt / T(2);
  q.z[i] += v.z[i] * dt + a.z[i] * dt * dt / T(2);
  v.x[i] += a.x[i] * dt;
  v.y[i] += a.y[i] * dt;
  v.z[i] += a.z[i] * dt;
}

// What the rungs with several bodies a thread share: padded arrays of the bodies, and steps that
// are done without asking the host. They are arrays again, since a load of four numbers puts them
// into four neighbouring registers: see docs/part3_log.md.
template <typename T>
class PaddedArrays : public Simulator<T> {
 public:
  // At least `padding` bodies more than there are.
  PaddedArrays(const Problem<T>& problem, std::size_t padding)
      : n(problem.bodies.size()),
        G(problem.G),
        softening2(problem.softening * problem.softening),
        bodies(n + padding, far_away<T>,
               {&problem.bodies.qx, &problem.bodies.qy, &problem.bodies.qz, &problem.bodies.mass}),
        velocity(n, T(0), {&problem.bodies.vx, &problem.bodies.vy, &problem.bodies.vz}),
        acceleration(n),
        steps(n),
        largest_step(1),
        time(std::vector<double>{0}) {}

  void compute_accelerations() override {
    timed("accelerations", [&] { launch_accelerations(false); });
  }
  // The neighbours are found along with the accelerations, which are computed again.
  T largest_time_step() override {
    timed("accelerations, neighbours", [&] { launch_accelerations(true); });
    timed("time_steps", [&] { launch_time_steps(); });
    std::vector<T> found;
    largest_step.copy_to(found);
    return found[0] < no_neighbour<T> ? found[0] : std::numeric_limits<T>::infinity();
  }
  void update_bodies(T dt) override {
    timed("update", [&] { launch_update({false, static_cast<double>(dt), 0}); });
  }

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

  void copy_state(Bodies<T>& state) const override {
    bodies.copy_to({&state.qx, &state.qy, &state.qz});
    velocity.copy_to({&state.vx, &state.vy, &state.vz});
  }
  void copy_accelerations(Vectors<T>& to) const override {
    acceleration.copy_to({&to.x, &to.y, &to.z});
  }

 protected:
  static constexpr unsigned block = 128;  // of kernels whose work is small

  std::size_t n;
  T G, softening2;
  DeviceArrays<T> bodies, velocity, acceleration;
  cudaStream_t stream = nullptr;

  // Fills acceleration; its w, squared distances of nearest neighbours, if asked.
  virtual void launch_accelerations(bool neighbours) = 0;

  void launch_time_steps() {
    time_steps_of_arrays<<<blocks_for(n, block), block, 0, stream>>>(
        velocity.view(), acceleration.view(), n, steps.data());
    smallest_value<<<1, smallest_threads, 0, stream>>>(steps.data(), n, largest_step.data());
  }
  void launch_update(const StepRule& rule) {
    update_arrays<<<blocks_for(n, block), block, 0, stream>>>(bodies.view(), velocity.view(),
                                                              acceleration.view(), n, rule,
                                                              largest_step.data(), time.data());
  }

  void start_clock() { time.copy_from({0}); }
  double time_of_clock() const {
    std::vector<double> found;
    time.copy_to(found);
    return found[0];
  }
  double* clock() { return time.data(); }

 private:
  DeviceArray<T> steps, largest_step;
  DeviceArray<double> time;
};

}  // namespace nbody
