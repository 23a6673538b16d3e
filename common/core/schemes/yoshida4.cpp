#include <cmath>

#include "core/scheme.hpp"

namespace nbody {

// Three leapfrogs, the middle one backwards: their errors of third order cancel (Eq. 2.11 there).
static std::vector<Operation> three_leapfrogs() {
  const double outer = 1 / (2 - std::cbrt(2.0)), middle = 1 - 2 * outer;
  const double between = (outer + middle) / 2;
  return {{Move::kick, outer / 2}, {Move::drift, outer},  {Move::accelerations},
          {Move::kick, between},   {Move::drift, middle}, {Move::accelerations},
          {Move::kick, between},   {Move::drift, outer},  {Move::accelerations},
          {Move::kick, outer / 2}};
}

extern const Scheme yoshida4 = {.name = "yoshida4",
                                .summary = "fourth order: three leapfrogs, one backwards",
                                .source = "Yoshida, Physics Letters A 150, 262 (1990)",
                                .order = 4,
                                .time_symmetric = true,
                                .symplectic = true,
                                .evaluations = 3,
                                .sequence = three_leapfrogs()};

}  // namespace nbody
