#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "simulator/structure_of_arrays.hpp"

namespace nbody {

template <typename T>
struct TripleOf {
  T x = T(0), y = T(0), z = T(0);

  TripleOf& operator+=(const TripleOf& other) {
    x += other.x;
    y += other.y;
    z += other.z;
    return *this;
  }
  TripleOf operator*(T factor) const { return {x * factor, y * factor, z * factor}; }
  T length() const { return std::sqrt(x * x + y * y + z * z); }
};

template <typename To, typename From>
ProblemOf<To> in_precision(const ProblemOf<From>& from) {
  return {in_precision<To>(from.bodies), static_cast<To>(from.G), static_cast<To>(from.softening)};
}

// A right and simple simulator, for the tests of everything around implementations. Every member of
// the checker's zoo overrides the one function that holds its idea. A template, since some use
// another precision inside than outside, and the host is tested with both number types at once.
template <typename T>
class PlainOf : public StructureOfArraysOf<T> {
 public:
  explicit PlainOf(const ProblemOf<T>& problem)
      : StructureOfArraysOf<T>(problem), softening2(problem.softening * problem.softening) {}

  void compute_accelerations() override {
    for (std::size_t i = 0; i < bodies.size(); ++i) set_acceleration(i, acceleration_of(i));
  }

  T largest_time_step() override {
    T smallest = std::numeric_limits<T>::infinity();
    if (bodies.size() < 2) return smallest;
    for (std::size_t i = 0; i < bodies.size(); ++i) smallest = std::min(smallest, time_step_of(i));
    return smallest;
  }

  void update_bodies(T dt) override {
    this->move(bodies.qx, bodies.vx, acceleration.x, dt);
    this->move(bodies.qy, bodies.vy, acceleration.y, dt);
    this->move(bodies.qz, bodies.vz, acceleration.z, dt);
  }

 protected:
  using StructureOfArraysOf<T>::G, StructureOfArraysOf<T>::bodies,
      StructureOfArraysOf<T>::acceleration;

  // The steps of compute_accelerations, from the whole row down to one root.
  virtual TripleOf<T> acceleration_of(std::size_t i) const {
    TripleOf<T> sum;
    for (std::size_t j = 0; j < bodies.size(); ++j) {
      if (j != i) sum += pull(i, j);
    }
    return sum;
  }

  // The acceleration of i by j.
  virtual TripleOf<T> pull(std::size_t i, std::size_t j) const {
    return field(i, j) * bodies.mass[j];
  }

  virtual T inverse_distance(T r2) const { return T(1) / std::sqrt(r2); }

  // What a source of mass 1 at j does to i. In this order no intermediate product overflows T.
  TripleOf<T> field(std::size_t i, std::size_t j) const {
    const TripleOf<T> d = offset(i, j);
    const T inverse = inverse_distance(d.x * d.x + d.y * d.y + d.z * d.z + softening2);
    return d * inverse * (G * inverse * inverse);
  }

  TripleOf<T> offset(std::size_t i, std::size_t j) const {
    return {bodies.qx[j] - bodies.qx[i], bodies.qy[j] - bodies.qy[i], bodies.qz[j] - bodies.qz[i]};
  }

  // The steps of largest_time_step.
  virtual T time_step_of(std::size_t i) const {
    T nearest = std::numeric_limits<T>::infinity();
    for (std::size_t j = 0; j < bodies.size(); ++j) {
      if (j != i) nearest = std::min(nearest, offset(i, j).length());
    }
    return time_to_cover(T(0.1) * nearest, i);
  }

  T time_to_cover(T distance, std::size_t i) const {
    return time_to_cover(distance, this->length(bodies.vx[i], bodies.vy[i], bodies.vz[i]),
                         this->length(acceleration.x[i], acceleration.y[i], acceleration.z[i]));
  }

  // The root of v dt + a dt^2/2 = distance in the form that does not cancel.
  static T time_to_cover(T distance, T v, T a) {
    if (distance == T(0)) return T(0);
    const T reach = v + std::sqrt(v * v + T(2) * a * distance);
    return reach > T(0) ? T(2) * distance / reach : std::numeric_limits<T>::infinity();
  }

  void set_acceleration(std::size_t i, const TripleOf<T>& a) {
    acceleration.x[i] = a.x;
    acceleration.y[i] = a.y;
    acceleration.z[i] = a.z;
  }
  void add_acceleration(std::size_t i, const TripleOf<T>& a) {
    acceleration.x[i] += a.x;
    acceleration.y[i] += a.y;
    acceleration.z[i] += a.z;
  }
  void clear_accelerations() {
    for (std::size_t i = 0; i < bodies.size(); ++i) set_acceleration(i, {});
  }

  T softening2;
};

}  // namespace nbody
