#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "check/evidence.hpp"
#include "core/scheme.hpp"

// The work is shared out among threads or ranks: on how many of them is it wrong?

namespace nbody::check {
namespace {

constexpr std::size_t long_message = 600;  // bodies; shorter ones leave at once

using Failing = std::vector<const Failure*>;

template <typename Holds>
bool all_of(const Failing& failures, const Holds& holds) {
  return std::all_of(failures.begin(), failures.end(),
                     [&](const Failure* failure) { return holds(*failure->test); });
}

// Is it one aspect, or one kind of message, that is wrong on `wrong_on` ranks?
Cause about_one_aspect(unsigned wrong_on, std::string_view right_on, const Failing& failures) {
  if (all_of(failures, [](const Case& test) { return test.request.adaptive; })) {
    return {"minimum_of_ranks",
            fmt::format("only adaptive steps are wrong on {} ranks, right on {}: does every rank "
                        "look for neighbours among all bodies, and get the smallest step of all "
                        "(MPI_Allreduce), also from those without bodies?",
                        wrong_on, right_on)};
  }
  const auto needs_jerk = [](const Case& test) {
    return test.request.jerk || scheme_named(test.request.setting.integrator).needs_jerk();
  };
  if (all_of(failures, needs_jerk)) {
    return {"jerk_of_ranks",
            fmt::format("only da/dt is wrong on {} ranks, right on {}: do the counts and "
                        "displacements of what is gathered for it fit?",
                        wrong_on, right_on)};
  }
  if (all_of(failures, [](const Case& test) { return !test.request.setting.integrator.empty(); })) {
    return {"moves_of_ranks",
            fmt::format("only kick() and drift() are wrong on {} ranks, right on {}: do the moved "
                        "bodies reach all ranks?",
                        wrong_on, right_on)};
  }
  if (failures.front()->test->n() >= long_message) {
    return {"message_buffer",
            fmt::format("wrong with {} bodies on {} ranks, right with fewer, and on {}: is the "
                        "buffer of a long message changed before the message has left?",
                        failures.front()->test->n(), wrong_on, right_on)};
  }
  return {};
}

// Smallest first. `usual`: the ranks of a case that asks for no number of its own.
Cause right_on_fewer(unsigned usual, std::string_view right_on, const Failing& failures) {
  const auto ranks_of = [&](const Case& test) { return test.ranks > 0 ? test.ranks : usual; };
  const Case& first = *failures.front()->test;
  if (all_of(failures, [&](const Case& test) { return test.n() < ranks_of(test); })) {
    return {"rank_without_bodies",
            fmt::format("wrong with {} bodies on {} ranks, right on one: what does a rank without "
                        "bodies send?",
                        first.n(), ranks_of(first))};
  }
  const Cause aspect = about_one_aspect(ranks_of(first), right_on, failures);
  if (aspect.is_known()) return aspect;
  // One where each of several ranks has bodies.
  const auto some = std::find_if(failures.begin(), failures.end(), [&](const Failure* failure) {
    return ranks_of(*failure->test) > 1 && failure->test->n() >= ranks_of(*failure->test);
  });
  const Case& shown = some == failures.end() ? first : *(*some)->test;
  const unsigned ranks = ranks_of(shown);
  if (shown.n() % ranks == 0) {
    return {"shared_among_ranks",
            fmt::format("wrong with {} bodies on {} ranks, each with the same number, right on {}: "
                        "does every rank do its part, and are the messages of several ranks told "
                        "apart?",
                        shown.n(), ranks, right_on)};
  }
  return {"shared_among_ranks",
          fmt::format("wrong on {} ranks, right on {}: is the remainder lost when {} bodies are "
                      "shared out, or the buffer of a message changed before the message has left?",
                      ranks, right_on, shown.n())};
}

}  // namespace

Cause about_number_of_threads(const Case& test, const Failing& failures) {
  const unsigned threads = test.request.threads;
  if (all_of(failures, [](const Case& one) { return one.n() < one.request.threads; })) {
    return {"thread_without_bodies",
            fmt::format("wrong with {} bodies on {} threads, right on one: what does a thread "
                        "without bodies do?",
                        test.n(), threads)};
  }
  return {
      "shared_among_threads",
      fmt::format("the same wrong answer every time on {}, right on one: is the remainder lost "
                  "when {} bodies are shared out, or a result of a thread forgotten?",
                  threads > 0 ? fmt::format("{} threads", threads) : "several threads", test.n())};
}

Cause about_numbers_of_ranks(unsigned usual, const Failing& failures) {
  if (failures.front()->test->ranks == 0) return {};
  if (all_of(failures, [](const Case& test) { return test.ranks == 1; })) {
    return {"one_rank", "wrong on one rank, right on several: does it wait for a message?"};
  }
  return right_on_fewer(usual, std::to_string(usual), failures);
}

Cause about_remainders(unsigned ranks, const Failing& failures,
                       const std::vector<const Case*>& passed) {
  if (ranks < 2) return {};
  std::set<bool> wrong, right;  // Do the bodies leave a remainder?
  const auto note = [&](const Case& test, std::set<bool>& in) {
    if (test.n() >= ranks && test.ranks == 0) in.insert(test.n() % ranks != 0);
  };
  for (const Failure* failure : failures) note(*failure->test, wrong);
  for (const Case* test : passed) note(*test, right);
  if (wrong != std::set{true} || right != std::set{false}) return {};
  return {
      "remainder_of_ranks",
      fmt::format("right where the bodies are a multiple of the {} ranks, wrong otherwise: which "
                  "rank has the remainder?",
                  ranks)};
}

Cause about_one_rank(const Subject& subject, const Failing& failures) {
  const Case& test = *failures.front()->test;
  if (!subject.has_ranks() || subject.ranks() == 1 || test.ranks != 0) return {};
  if (!always_right(*subject.started_with(1, test.block), test, test.request)) return {};
  return right_on_fewer(subject.ranks(), "one", failures);
}

}  // namespace nbody::check
