#include "check/splits.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nbody::check {
namespace {

template <typename Holds>
bool all_of(const Failing& failures, const Holds& holds) {
  return std::all_of(failures.begin(), failures.end(),
                     [&](const Failure* failure) { return holds(*failure->test); });
}

// Does it hold for all cases that fail, and for none that passed? Of a body alone all is right.
template <typename Holds>
bool separates(const Failing& failures, const Passed& passed, const Holds& holds) {
  const auto some =
      std::count_if(passed.begin(), passed.end(), [](const Case* test) { return test->n() > 1; });
  return some >= 3 && all_of(failures, holds) &&
         std::none_of(passed.begin(), passed.end(),
                      [&](const Case* test) { return test->n() > 1 && holds(*test); });
}

constexpr std::size_t long_message = 600;  // bodies; shorter ones leave at once

}  // namespace

Cause about_ranks(unsigned usual, const Failing& failures) {
  const Case& shown = *failures.front()->test;
  const std::string where =
      fmt::format("wrong with {} bodies on {} ranks, right on another number of them", shown.n(),
                  shown.ranks > 0 ? shown.ranks : usual);
  if (all_of(failures, [](const Case& test) { return test.request.adaptive; })) {
    return {"minimum_of_ranks",
            where +
                ", in adaptive steps only: does every rank look for neighbours among all bodies, "
                "and get the smallest step of all (MPI_Allreduce), also from those without bodies? "
                "Is real sent as MPI_FLOAT?"};
  }
  if (all_of(failures, [](const Case& test) { return test.n() >= long_message; })) {
    return {"message_buffer",
            where +
                ", or with fewer bodies: is the buffer of a long message changed before the "
                "message has left?"};
  }
  return {"shared_among_ranks",
          where +
              ": is the remainder lost when bodies are shared out, does every rank do its "
              "part, what does one without bodies send, and are the messages of several ranks "
              "told apart?"};
}

Cause about_kinds(const Failing& failures) {
  const Case& fewest = *failures.front()->test;
  // Of many bodies some have a coordinate in common outside the plane, too.
  const auto alike = std::count_if(failures.begin(), failures.end(), [&](const Failure* failure) {
    return is(failure->test->alone, fewest.alone.mistake);
  });
  return 10 * static_cast<std::size_t>(alike) >= 9 * failures.size() ? fewest.alone : Cause();
}

Cause about_sizes(const Failing& failures, const Passed& passed) {
  const Case& fewest = *failures.front()->test;
  if (all_of(failures, [](const Case& test) { return test.n() == 1; })) {
    return {"lone_body",
            "only a body alone is wrong, which feels nothing and flies on by v dt: does padding "
            "have mass, does the body meet itself, or are steps left out where there is one?"};
  }
  std::size_t right = 0;
  for (const Case* test : passed) right = std::max(right, test->n());
  if (right > 2 && right < fewest.n()) {
    return {"too_many", fmt::format("right up to {} bodies, wrong with {} and more: is an array or "
                                    "an index too small, or is something left out, taken together "
                                    "or kept from the step before where there are many bodies?",
                                    right, fewest.n())};
  }
  for (const std::size_t width : {2, 4, 8, 16, 32, 64, 128, 256, 1000}) {
    if (separates(failures, passed, [&](const Case& test) { return test.n() % width == 0; })) {
      return {"multiples", fmt::format("wrong where the number of bodies is a multiple of {}: does "
                                       "a loop over blocks stop one too early, or is something "
                                       "counted twice?",
                                       width)};
    }
    if (separates(failures, passed, [&](const Case& test) { return test.n() % width != 0; })) {
      return {"remainder", fmt::format("right only where the number of bodies is a multiple of {}: "
                                       "which loop takes the rest?",
                                       width)};
    }
  }
  return {};
}

}  // namespace nbody::check
