#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace nbody::check {

// In how many cases must it appear?
enum class Reach {
  some_cases,  // a tail, a pair, a body
  most_cases,  // a wrong formula
  one_case     // one case is proof enough
};

// A possible cause of one wrong answer. The same mistake has the same name in every case; its
// sentence may contain other indices. An empty sentence: it fits here, but another case shows it
// better.
struct Hypothesis {
  const char* mistake;
  std::string sentence;
  Reach reach = Reach::some_cases;
  std::size_t largest_n = 999999;    // not looked for with more bodies
  std::size_t shows_until = 999999;  // it must appear in some case of at most this many bodies
};

using Hypotheses = std::vector<Hypothesis>;

}  // namespace nbody::check
