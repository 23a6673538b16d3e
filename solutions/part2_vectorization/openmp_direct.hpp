#pragma once

#include "blocked.hpp"

namespace nbody {

// Problem: one core of several.
// Idea: blocks of rows share nothing, any thread may take any. Static: the same blocks for the same
// thread in every step, and all blocks cost the same.
// Changed: the pragma; and the nearest neighbours, which would else be what everybody waits for.
template <typename T>
class OpenmpDirect : public Blocked<T> {
 public:
  using Blocked<T>::Blocked;

  void compute_accelerations() override {
    this->pad();
    const std::size_t blocks = this->padded_size() / rows;
#pragma omp parallel for schedule(static)
    for (std::size_t block = 0; block < blocks; ++block) this->add_rows(block * rows);
  }

  T largest_time_step() override {
    nearest2.resize(this->bodies.size());
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < nearest2.size(); ++i)
      nearest2[i] = Padded<T>::nearest_neighbour2(i);
    return Blocked<T>::largest_time_step();
  }

 protected:
  T nearest_neighbour2(std::size_t i) const override { return nearest2[i]; }

 private:
  using Blocked<T>::rows;
  std::vector<T> nearest2;
};

}  // namespace nbody
