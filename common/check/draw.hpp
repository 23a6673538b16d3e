#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "bodies/random.hpp"
#include "check/check_scenes.hpp"

namespace nbody::check {

inline constexpr std::size_t short_runs = 130;  // up to here, more steps cost nothing

// What is drawn from the seed of a check: numbers, sizes and scenes.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}

  std::size_t between(std::size_t first, std::size_t last) {
    return first + static_cast<std::size_t>(random_.bits() % (last - first + 1));
  }
  // Some multiple of a width, and 1 to `width` more.
  std::size_t with_rest(std::size_t width, std::size_t fewest, std::size_t most) {
    const std::size_t multiple = width * between(fewest, most);
    return multiple + between(1, width);
  }
  bool one_in(std::size_t k) { return between(1, k) == 1; }
  std::uint64_t seed() { return random_.bits() >> 20; }
  template <typename T>
  void shuffle(std::vector<T>& list) {
    for (std::size_t k = list.size(); k > 1; --k) std::swap(list[k - 1], list[between(0, k - 1)]);
  }

  // Numbers of bodies: all small ones, every remainder of 2 to 16, the multiples of what loops,
  // tiles and blocks are wide, with their neighbours, and a thousand and more.
  std::vector<std::size_t> sizes();
  // Of n bodies, those that are compared: all; of many, those at both ends, where loops lose them,
  // and some at random. Sorted.
  std::vector<std::size_t> rows(std::size_t n);

  // Each call takes the next of the three unit systems, each third the next kind of scene.
  Scene scene(std::size_t n);
  Scene scene(CheckScene kind, std::size_t n);
  // The body that decides the adaptive step, or its neighbour, is where loops lose bodies; in every
  // third scene it is any body.
  Scene adaptive_scene(std::size_t n);

 private:
  Random random_;
  std::uint64_t turn_ = 0;
};

}  // namespace nbody::check
