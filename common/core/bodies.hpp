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

}  // namespace nbody
