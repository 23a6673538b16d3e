#include "check/splits.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nbody::check {
namespace {

using Failing = std::vector<const Failure*>;
using Passed = std::vector<const Case*>;

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

// The first that holds for all failures.
const struct {
  Among among;
  const char* mistake;
  bool (*holds)(const Case& test, unsigned among);
  const char* says;  // n, k: the bodies and threads or ranks of a case that fails
} of_sharing[] = {
    {Among::threads, "shared_among_threads", [](const Case&, unsigned) { return true; },
     "the same wrong answer every time on {k} threads, right on one: is the remainder lost when "
     "{n} bodies are shared out, a result of a thread forgotten, or a thread without bodies?"},
    {Among::ranks, "one_rank", [](const Case&, unsigned k) { return k == 1; },
     "wrong on one rank, right on several: does it wait for a message?"},
    {Among::ranks, "rank_without_bodies", [](const Case& test, unsigned k) { return test.n() < k; },
     "wrong with {n} bodies on {k} ranks, right on other numbers of them: what does a rank without "
     "bodies send?"},
    {Among::ranks, "minimum_of_ranks",
     [](const Case& test, unsigned) { return test.request.adaptive; },
     "only adaptive steps are wrong on {k} ranks: does every rank look for neighbours among all "
     "bodies, and get the smallest step of all (MPI_Allreduce), also from those without bodies?"},
    {Among::ranks, "message_buffer",
     [](const Case& test, unsigned) { return test.n() >= long_message; },
     "wrong with {n} bodies on {k} ranks, right with fewer: is the buffer of a long message "
     "changed before the message has left?"},
    {Among::ranks, "shared_among_ranks", [](const Case&, unsigned) { return true; },
     "wrong with {n} bodies on {k} ranks, right on other numbers of them: is the remainder lost "
     "when bodies are shared out, does every rank do its part, and are the messages of several "
     "ranks told apart?"}};

}  // namespace

Cause about_sharing(Among among, unsigned usual, const Failing& failures) {
  const auto number_of = [&](const Case& test) {
    const unsigned own = among == Among::ranks ? test.ranks : test.request.threads;
    return own > 0 ? own : usual;
  };
  // The case that is shown: the first where each of several ranks has bodies.
  const auto shared = std::find_if(failures.begin(), failures.end(), [&](const Failure* failure) {
    return number_of(*failure->test) > 1 && failure->test->n() >= number_of(*failure->test);
  });
  const Case& shown = *(shared == failures.end() ? failures.front() : *shared)->test;
  const unsigned k = number_of(shown);
  for (const auto& split : of_sharing) {
    const auto holds = [&](const Case& test) { return split.holds(test, number_of(test)); };
    if (split.among != among || !all_of(failures, holds)) continue;
    return {split.mistake, fmt::format(fmt::runtime(split.says), fmt::arg("n", shown.n()),
                                       fmt::arg("k", k > 0 ? std::to_string(k) : "several"))};
  }
  return {};
}

Cause about_remainders(unsigned ranks, const Failing& failures, const Passed& passed) {
  const auto has_rest = [&](const Case& test) {
    return test.n() >= ranks && test.ranks == 0 && test.n() % ranks != 0;
  };
  if (ranks < 2 || !separates(failures, passed, has_rest)) return {};
  return {"remainder_of_ranks",
          fmt::format("right where the bodies are a multiple of the {} ranks, wrong otherwise: "
                      "which rank has the remainder?",
                      ranks)};
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
                                    "an index too small, or is something kept from the step before "
                                    "where there are many bodies?",
                                    right, fewest.n())};
  }
  for (const std::size_t width : {2, 4, 8, 16, 32, 64, 128, 256, 1000}) {
    if (separates(failures, passed, [&](const Case& test) { return test.n() % width == 0; })) {
      return {"multiples", fmt::format("wrong where the number of bodies is a multiple of {}: does "
                                       "a loop over blocks stop one too early?",
                                       width)};
    }
    if (separates(failures, passed, [&](const Case& test) { return test.n() % width != 0; })) {
      return {"remainder", fmt::format("right only where the number of bodies is a multiple of {}: "
                                       "which loop takes the rest?",
                                       width)};
    }
  }
  if (fewest.group == Group::jerk) {
    return {"jerk",
            "compute_accelerations() is right, accelerations_and_jerk() is not: da/dt, or "
            "the accelerations beside it"};
  }
  if (fewest.group == Group::integrators) {
    return {"integrator", fmt::format("right by Eq. 4 and 5, wrong by {}: look at kick() and "
                                      "drift(), and at whether each step is computed anew",
                                      fewest.request.setting.integrator)};
  }
  return {};
}

}  // namespace nbody::check
