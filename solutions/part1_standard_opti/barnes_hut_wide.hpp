#pragma once

#include "barnes_hut.hpp"

namespace nbody {

// Exhibit. Twice the opening angle: fewer cells, eight times the error, too much for `approximate`.
class BarnesHutWide : public BarnesHut {
 public:
  explicit BarnesHutWide(const Problem& problem) : BarnesHut(problem, real(0.6)) {}
};

}  // namespace nbody
