#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace nbody {

// In how many cases must it show?
enum class Reach {
  some_cases,  // a tail, a pair, a body
  most_cases,  // a wrong formula
  one_case     // one is proof enough
};

// What one wrong answer may come from. The same mistake has the same name in every case; its
// sentence may hold other indices. An empty sentence: it fits here, too, but another case shows it
// better.
struct Hypothesis {
  const char* mistake;
  std::string sentence;
  Reach reach = Reach::some_cases;
  std::size_t largest_n = 999999;    // beyond, this mistake is not looked for
  std::size_t shows_until = 999999;  // it must show in some case of no more bodies
};

using Hypotheses = std::vector<Hypothesis>;

}  // namespace nbody
