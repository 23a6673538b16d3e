#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace nbody {

// One number per body in each direction.
template <typename T>
struct Vectors {
  std::vector<T> x, y, z;

  std::size_t size() const { return x.size(); }
  void resize(std::size_t n) {
    x.resize(n);
    y.resize(n);
    z.resize(n);
  }
  bool operator==(const Vectors&) const = default;
};

// N bodies as a structure of arrays. On the host: double and SI units (kg, m, m/s), unless a scene
// says otherwise. In a simulator: its number type T and working units (see units.hpp).
template <typename T>
struct Bodies {
  std::vector<T> mass, radius;
  std::vector<T> qx, qy, qz;  // positions
  std::vector<T> vx, vy, vz;  // velocities

  std::size_t size() const { return mass.size(); }
  // In the order of a body file.
  auto columns() { return std::array{&mass, &radius, &qx, &qy, &qz, &vx, &vy, &vz}; }
  auto columns() const { return std::array{&mass, &radius, &qx, &qy, &qz, &vx, &vy, &vz}; }
  void resize(std::size_t n) {
    for (auto* column : columns()) column->resize(n);
  }
  bool operator==(const Bodies&) const = default;
};

// The same numbers in another precision.
template <typename To, typename From>
std::vector<To> in_precision(const std::vector<From>& values) {
  return {values.begin(), values.end()};
}
template <typename To, typename From>
Vectors<To> in_precision(const Vectors<From>& from) {
  return {in_precision<To>(from.x), in_precision<To>(from.y), in_precision<To>(from.z)};
}
template <typename To, typename From>
Bodies<To> in_precision(const Bodies<From>& from) {
  Bodies<To> to;
  for (std::size_t k = 0; k < to.columns().size(); ++k) {
    *to.columns()[k] = in_precision<To>(*from.columns()[k]);
  }
  return to;
}

}  // namespace nbody
