#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "simulator/simulator.hpp"

namespace nbody {

// part3/float4 without CUDA: loops in plain C++, and lines above them that send them to a GPU, one
// thread for each body i. Without a GPU, they run on the processor. The bodies stay on the device
// for all steps of a request: `enter data` brings them there, `update from` back; a `map` of data
// that is already there copies nothing. Without `simd` GCC would use one thread of each warp: its
// OpenMP threads are warps. It has no approximate 1/sqrt for a GPU.
class OpenmpTarget : public Simulator {
 public:
  explicit OpenmpTarget(const Problem& problem)
      : G(problem.G), softening2(problem.softening * problem.softening), n(problem.bodies.size()) {
    const auto& from = problem.bodies;
    for (std::size_t i = 0; i < n; ++i) {
      bodies.push_back({from.qx[i], from.qy[i], from.qz[i], from.mass[i]});
      velocities.push_back({from.vx[i], from.vy[i], from.vz[i]});
    }
    accelerations.resize(n);
    [[maybe_unused]] const Body* const q = bodies.data();
    [[maybe_unused]] const Vector* const v = velocities.data();
    [[maybe_unused]] const Vector* const a = accelerations.data();
#pragma omp target enter data map(to : q [0:n], v [0:n]) map(alloc : a [0:n])
  }

  ~OpenmpTarget() override {
    [[maybe_unused]] const Body* const q = bodies.data();
    [[maybe_unused]] const Vector* const v = velocities.data();
    [[maybe_unused]] const Vector* const a = accelerations.data();
#pragma omp target exit data map(delete : q [0:n], v [0:n], a [0:n])
  }
  OpenmpTarget(const OpenmpTarget&) = delete;
  OpenmpTarget& operator=(const OpenmpTarget&) = delete;

  // Eq. 1-3. Locals, because a member would take the whole object to the device.
  void compute_accelerations() override {
    const Body* const q = bodies.data();
    Vector* const a = accelerations.data();
    const std::size_t count = n, teams = teams_for(n);
    const real gravity = G, eps2 = softening2;
#pragma omp target map(to : q [0:count]) map(from : a [0:count])
#pragma omp teams distribute parallel for simd num_teams(teams)
    for (std::size_t i = 0; i < count; ++i) {
      const Body body = q[i];
      real ax = 0, ay = 0, az = 0;
      for (std::size_t j = 0; j < count; ++j) {
        if (i != j) {
          const real dx = q[j].x - body.x, dy = q[j].y - body.y, dz = q[j].z - body.z;
          const real inverse_r = 1 / std::sqrt(dx * dx + dy * dy + dz * dz + eps2);
          const real weight = q[j].mass * inverse_r * inverse_r * inverse_r;
          ax += weight * dx;
          ay += weight * dy;
          az += weight * dz;
        }
      }
      a[i] = {gravity * ax, gravity * ay, gravity * az};
    }
  }

  // Eq. 7.
  real largest_time_step() override {
    const Body* const q = bodies.data();
    const Vector* const v = velocities.data();
    const Vector* const a = accelerations.data();
    const std::size_t count = n, teams = teams_for(n);
    real smallest = std::numeric_limits<real>::max();
#pragma omp target map(tofrom : smallest) map(to : q [0:count], v [0:count], a [0:count])
#pragma omp teams distribute parallel for simd num_teams(teams) reduction(min : smallest)
    for (std::size_t i = 0; i < count; ++i) {
      real nearest2 = std::numeric_limits<real>::max();
      for (std::size_t j = 0; j < count; ++j) {
        if (i != j) {
          const real dx = q[j].x - q[i].x, dy = q[j].y - q[i].y, dz = q[j].z - q[i].z;
          const real r2 = dx * dx + dy * dy + dz * dz;
          if (r2 < nearest2) nearest2 = r2;
        }
      }
      const real nearest = std::sqrt(nearest2), speed = length(v[i]), a_length = length(a[i]);
      real dt =
          real(0.2) * nearest / (speed + std::sqrt(speed * speed + real(0.2) * a_length * nearest));
      if (nearest == 0) dt = 0;  // at rest, Eq. 7 is 0/0
      if (dt < smallest) smallest = dt;
    }
    return smallest;
  }

  // Eq. 5 with the old velocity, then Eq. 4.
  void update_bodies(real dt) override {
    Body* const q = bodies.data();
    Vector* const v = velocities.data();
    const Vector* const a = accelerations.data();
    const std::size_t count = n, teams = teams_for(n);
#pragma omp target map(tofrom : q [0:count], v [0:count]) map(to : a [0:count])
#pragma omp teams distribute parallel for simd num_teams(teams)
    for (std::size_t i = 0; i < count; ++i) {
      q[i].x += v[i].x * dt + a[i].x * dt * dt / 2;
      q[i].y += v[i].y * dt + a[i].y * dt * dt / 2;
      q[i].z += v[i].z * dt + a[i].z * dt * dt / 2;
      v[i].x += a[i].x * dt;
      v[i].y += a[i].y * dt;
      v[i].z += a[i].z * dt;
    }
  }

  void copy_state(Bodies<real>& state) const override {
    const Body* const q = bodies.data();
    const Vector* const v = velocities.data();
#pragma omp target update from(q [0:n], v [0:n])
    for (std::size_t i = 0; i < n; ++i) {
      state.qx[i] = q[i].x;
      state.qy[i] = q[i].y;
      state.qz[i] = q[i].z;
      state.vx[i] = v[i].x;
      state.vy[i] = v[i].y;
      state.vz[i] = v[i].z;
    }
  }

  void copy_accelerations(Vectors<real>& to) const override {
    const Vector* const a = accelerations.data();
#pragma omp target update from(a [0:n])
    for (std::size_t i = 0; i < n; ++i) {
      to.x[i] = a[i].x;
      to.y[i] = a[i].y;
      to.z[i] = a[i].z;
    }
  }

 private:
  struct alignas(4 * sizeof(real)) Body {
    real x, y, z, mass;
  };
  struct Vector {
    real x, y, z;
  };
  // Teams of 256 bodies: without this number, GCC leaves most lanes idle if there are few bodies.
  static std::size_t teams_for(std::size_t bodies) { return (bodies + 255) / 256; }
  static real length(Vector v) { return std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z); }

  real G, softening2;
  std::size_t n;
  std::vector<Body> bodies;
  std::vector<Vector> velocities, accelerations;
};

}  // namespace nbody
