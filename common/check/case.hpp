#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "check/row.hpp"
#include "core/reference.hpp"
#include "core/scene.hpp"
#include "simulator/messages.hpp"

namespace nbody::check {

// Where steps in one go should end.
struct Run {
  State end;
  std::vector<double> steps;      // of each step
  std::vector<std::size_t> rows;  // the bodies that are pulled, and compared
  std::vector<double> path;       // of each of them, m
  std::vector<double> pulled;     // the sum of all pulls on it times dt, m/s
};

// Of thousands of terms: float sums as good as those of few, or only as good as one running sum.
enum class Sums { usual, promised, plain };

// One question to a program: a row of the table that cases.cpp draws from a seed. All answers are
// judged by the same rules (judge.hpp).
struct Case {
  Group group;
  std::string what;  // "3 single steps"
  Request request;
  std::vector<std::size_t> rows;  // the bodies that are compared
  unsigned block = 0;             // threads of a block, for kernels; 0: the program's default
  Cause alone = {};               // if everything else about forces is right
  unsigned ranks = 0;             // processes; 0: the program's default
  Sums sums = Sums::usual;
  // What the reference computes for the bodies that are sent, once for all programs.
  mutable std::shared_ptr<const Reference> computed = {};
  mutable std::shared_ptr<const Run> ran = {};

  std::size_t n() const { return request.bodies.size(); }
  // The reference's answer for the compared rows, where the bodies are at first.
  const Reference& reference() const;
  // And where all its steps lead.
  const Run& run() const;
};

// Fills in what travels: the bodies and their setting.
Case case_of(Group group, std::string what, const Scene& scene);

// All n bodies are compared.
std::vector<std::size_t> all_rows(std::size_t n);

// How much is asked.
struct Extent {
  std::uint64_t seed = 1;
  std::size_t largest_n = 0;  // 0: as large as the group's own cases
  unsigned ranks = 0;         // processes of the program; 0: it has threads
  bool in_double = false;     // the shorter list for the program for double beside that for float
  bool all_digits = false;    // numbers of 53 bits: a program for double must not drop them
  bool thorough = false;      // every aspect of many bodies, not only one that is drawn
  bool holds_sums = false;    // the program promises sums that lose nothing

  auto operator<=>(const Extent&) const = default;
};

// The cases of a seed, in the order in which they are asked.
std::vector<Case> make_cases(const Extent& extent);

inline constexpr std::size_t sampled_from = 2600;  // of more bodies only some are compared
// What arrays, tiles and indices of a first version may not hold.
inline constexpr std::size_t many_from = 8200, many_to = 16500;
// Only asked where it costs nothing, as of a GPU, which may take another kernel for so many.
inline constexpr std::size_t very_many_from = 20'100;
// Steps that no counter of 16 bits counts.
inline constexpr std::uint64_t very_many_steps = 65'537;

// What takes long, or starts a program anew, is asked after all families.
inline bool comes_late(const Case& test) {
  return test.block > 0 || test.ranks > 0 || test.n() > sampled_from ||
         test.request.steps >= very_many_steps;
}

}  // namespace nbody::check
