#pragma once

#include <algorithm>
#include <vector>

#include "cuda/device_array.cuh"
#include "real4.cuh"

namespace nbody {

// Padding bodies of the last block stand here, with zero mass: farther than any body, but near
// enough that the squared distance fits into a float. In part 2 such a distance is slow, since its
// 1/r^3 is a subnormal number; here -ftz=true makes it zero.
constexpr real far_away = real(1e15);

constexpr real no_neighbour = real(1e30);  // a squared distance

// Positions and masses, velocities, or accelerations and squared distances of nearest neighbours.
struct Arrays {
  real *x, *y, *z, *w;
};

__device__ inline real4 at(const Arrays& from, long long index) {
  return {from.x[index], from.y[index], from.z[index], from.w[index]};
}

// A partial sum; w is the squared distance of the nearest neighbour, only if requested.
template <bool neighbours>
__device__ inline void add_part(real4& total, const Arrays& parts, long long index) {
  total.x += parts.x[index];
  total.y += parts.y[index];
  total.z += parts.z[index];
  if constexpr (neighbours) total.w = min(total.w, parts.w[index]);
}
template <bool neighbours>
__device__ inline void store_sum(const Arrays& to, long long index, const real4& sum) {
  to.x[index] = sum.x;
  to.y[index] = sum.y;
  to.z[index] = sum.z;
  if constexpr (neighbours) to.w[index] = sum.w;
}

class DeviceArrays {
 public:
  explicit DeviceArrays(std::size_t size) : size_(size), numbers_(4 * size) {}
  // w is optional; the rest of the array is set to `filling`, and its w to 0.
  DeviceArrays(std::size_t size, real filling, const std::vector<const std::vector<real>*>& columns)
      : DeviceArrays(size) {
    std::vector<real> all(4 * size, filling);
    std::fill(all.begin() + 3 * static_cast<std::ptrdiff_t>(size), all.end(), real(0));
    for (std::size_t c = 0; c < columns.size(); ++c) {
      std::copy(columns[c]->begin(), columns[c]->end(),
                all.begin() + static_cast<std::ptrdiff_t>(c * size));
    }
    numbers_.copy_from(all);
  }

  Arrays view() {
    real* x = numbers_.data();
    return {x, x + size_, x + 2 * size_, x + 3 * size_};
  }

  std::size_t size() const { return size_; }

  // The first to.size() ones.
  void copy_to(const std::vector<std::vector<real>*>& columns) const {
    std::vector<real> all;
    numbers_.copy_to(all);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const auto from = all.begin() + static_cast<std::ptrdiff_t>(c * size_);
      std::copy_n(from, columns[c]->size(), columns[c]->begin());
    }
  }

 private:
  std::size_t size_;
  DeviceArray<real> numbers_;
};

}  // namespace nbody
