#include "check/splits.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "check/error_measure.hpp"
#include "core/scheme.hpp"

namespace nbody::check {
namespace {

constexpr std::size_t long_message = 600;  // bodies; shorter ones leave at once
constexpr std::size_t widest = 256;        // block of a loop
constexpr std::size_t enough = 20;         // sizes that are right, to blame one that is not

using Failing = std::vector<const Failure*>;

template <typename Holds>
bool all_of(const Failing& failures, const Holds& holds) {
  return std::all_of(failures.begin(), failures.end(),
                     [&](const Failure* failure) { return holds(*failure->test); });
}

// --- threads and ranks ---------------------------------------------------------------------------

bool is_adaptive(const Case& test, unsigned) { return test.request.adaptive; }
bool has_few_bodies(const Case& test, unsigned among) { return test.n() < among; }
bool has_an_integrator(const Case& test, unsigned) {
  return !test.request.setting.integrator.empty();
}
bool needs_jerk(const Case& test, unsigned) {
  return test.request.jerk || scheme_named(test.request.setting.integrator).needs_jerk();
}
bool is_long(const Case& test, unsigned) { return test.n() >= long_message; }
bool is_multiple(const Case& test, unsigned among) { return test.n() % among == 0; }
bool is_any(const Case&, unsigned) { return true; }

// The first that holds for all failures; `of_one`: for the one that is shown.
struct Common {
  const char* mistake;
  bool (*holds)(const Case& test, unsigned among);
  const char* says;  // n, among: of a case that fails
  bool of_one = false;
};

const Common of_threads[] = {
    {"thread_without_bodies", has_few_bodies,
     "wrong with {n} bodies on {among} threads, right on one: what does a thread without bodies "
     "do?"},
    {"shared_among_threads", is_any,
     "the same wrong answer every time on {several} threads, right on one: is the remainder lost "
     "when {n} bodies are shared out, or a result of a thread forgotten?"}};

const Common of_ranks[] = {
    {"rank_without_bodies", has_few_bodies,
     "wrong with {n} bodies on {among} ranks, right on one: what does a rank without bodies send?"},
    {"minimum_of_ranks", is_adaptive,
     "only adaptive steps are wrong on {among} ranks, right on {right}: does every rank look for "
     "neighbours among all bodies, and get the smallest step of all (MPI_Allreduce), also from "
     "those without bodies?"},
    {"jerk_of_ranks", needs_jerk,
     "only da/dt is wrong on {among} ranks, right on {right}: do the counts and displacements of "
     "what is gathered for it fit?"},
    {"moves_of_ranks", has_an_integrator,
     "only kick() and drift() are wrong on {among} ranks, right on {right}: do the moved bodies "
     "reach all ranks?"},
    {"message_buffer", is_long,
     "wrong with {n} bodies on {among} ranks, right with fewer, and on {right}: is the buffer of a "
     "long message changed before the message has left?"},
    {"shared_among_ranks", is_multiple,
     "wrong with {n} bodies on {among} ranks, each with the same number, right on {right}: does "
     "every rank do its part, and are the messages of several ranks told apart?",
     true},
    {"shared_among_ranks", is_any,
     "wrong on {among} ranks, right on {right}: is the remainder lost when {n} bodies are shared "
     "out, or the buffer of a message changed before the message has left?",
     true}};

template <std::size_t rows>
Cause first_of(const Common (&table)[rows], const std::vector<unsigned>& among,
               std::string_view right_on, const Failing& failures) {
  // The case that is shown: the first, or the first where each of several ranks has bodies.
  std::size_t some = 0;
  while (some < failures.size() && (among[some] < 2 || failures[some]->test->n() < among[some])) {
    ++some;
  }
  for (const Common& common : table) {
    const std::size_t k = common.of_one && some < failures.size() ? some : 0;
    std::size_t holding = 0;
    for (std::size_t l = 0; l < failures.size(); ++l) {
      holding += common.holds(*failures[common.of_one ? k : l]->test, among[common.of_one ? k : l]);
    }
    if (holding < failures.size()) continue;
    return {common.mistake,
            fmt::format(fmt::runtime(common.says), fmt::arg("n", failures[k]->test->n()),
                        fmt::arg("among", among[k]),
                        fmt::arg("several", among[k] > 0 ? std::to_string(among[k]) : "several"),
                        fmt::arg("right", right_on))};
  }
  return {};
}

// --- numbers of bodies and of steps --------------------------------------------------------------

// Wrong where one rest is left, and nowhere else; or right only where none is.
Cause about_rests(const std::set<std::size_t>& wrong, const std::set<std::size_t>& right) {
  for (std::size_t width = 2; width <= widest; ++width) {
    const std::size_t rest = *wrong.begin() % width;
    const auto has_rest = [&](std::size_t n) { return n % width == rest; };
    const auto in_range = [&](std::size_t n) { return n >= *wrong.begin() && has_rest(n); };
    if (!std::all_of(wrong.begin(), wrong.end(), has_rest) ||
        std::any_of(right.begin(), right.end(), in_range)) {
      continue;
    }
    if (rest == 0) {
      return {"multiples",
              fmt::format("wrong where the number of bodies is a multiple of {}, right otherwise: "
                          "does a loop over blocks stop one too early?",
                          width)};
    }
    return {"remainder",
            fmt::format("wrong where the number of bodies leaves a remainder of {} when divided by "
                        "{}, right otherwise",
                        rest, width)};
  }
  for (std::size_t width = 2; width <= widest; ++width) {
    const auto multiple = [&](std::size_t n) { return n % width == 0; };
    if (std::any_of(wrong.begin(), wrong.end(), multiple) ||
        !std::all_of(right.begin(), right.end(), multiple)) {
      continue;
    }
    return {"remainder", fmt::format("right only where the number of bodies is a multiple of {}: "
                                     "which loop takes the rest?",
                                     width)};
  }
  return {};
}

// Is it the number of steps by which the cases that fail differ from all others?
Cause about_steps(const Failing& failures, const std::vector<const Case*>& passed) {
  std::set<std::uint64_t> wrong, right;
  for (const Failure* failure : failures) wrong.insert(failure->test->request.steps);
  for (const Case* test : passed) right.insert(test->request.steps);
  for (const std::uint64_t steps : wrong) {
    if (right.count(steps) > 0) return {};
  }
  return {
      "number_of_steps",
      fmt::format("wrong after {} steps, right after {}: is something done in every so many "
                  "steps only, or in the last one?",
                  fmt::join(wrong, " and "),
                  *right.rbegin() < *wrong.begin() ? "fewer of them" : "other numbers of them")};
}

// --- digits --------------------------------------------------------------------------------------

double largest_error(const Failing& failures, const Rows& rows) {
  double largest = 0;
  for (const Failure* failure : failures) {
    const double error = rows[failure->row].error;
    if (!(error <= largest)) largest = error;  // NaN, too
  }
  return largest;
}

// Of all bodies that are compared.
double median_error(const Failure& failure) {
  return force_error(failure.test->reference(),
                     rows_of(failure.answer.accelerations, failure.test->rows))
      .median;
}

// The error of a raw root, 1.5 x 2^-12, after cubing.
constexpr double largest_error_of_raw_root = 1.2e-3;

// One of few bodies: long sums err as much, and truncated positions more, but not everywhere.
bool is_a_raw_root(const Failing& failures) {
  // The median is smallest for many equal masses and 14 bits.
  std::size_t alike = 0, looked_at = 0, of_few = 0;
  for (const Failure* failure : failures) {
    if (looked_at == 8) break;
    ++looked_at;
    if (median_error(*failure) < 4e-6) continue;
    ++alike;
    of_few += failure->test->n() <= 17 ? 1 : 0;
  }
  return of_few > 0 && 5 * alike >= 3 * looked_at;
}

// Nearly all forces are wrong, those of two or three bodies, where nothing cancels, in their last
// digits only.
bool are_eleven_bits(const Failing& failures, const std::vector<const Case*>& passed,
                     const Rows& rows) {
  std::size_t of_two_or_three = 0;
  for (const Failure* failure : failures) {
    if (failure->test->n() > 3) continue;
    if (!(rows[failure->row].error < 2e-3)) return false;
    ++of_two_or_three;
  }
  return of_two_or_three >= 3 && failures.size() >= 3 * passed.size();
}

// Every error is so small that no pull is missing: where few bodies fail, none lacks as much as
// half of a pull of average size.
bool is_little(const Failing& failures, const Rows& rows) {
  const std::size_t fewest = failures.front()->test->n();
  return std::all_of(failures.begin(), failures.end(), [&](const Failure* failure) {
    const std::size_t n = failure->test->n();
    const double error = rows[failure->row].error;
    return error < 3e-2 && (n >= 2 * fewest || 2 * error * static_cast<double>(n) < 1);
  });
}

}  // namespace

Cause about_sharing(Among among, unsigned usual, std::string_view right_on,
                    const Failing& failures) {
  std::vector<unsigned> numbers;
  for (const Failure* failure : failures) {
    const Case& test = *failure->test;
    const unsigned own = among == Among::ranks ? test.ranks : test.request.threads;
    numbers.push_back(own > 0 || among == Among::threads ? own : usual);
  }
  return among == Among::ranks ? first_of(of_ranks, numbers, right_on, failures)
                               : first_of(of_threads, numbers, right_on, failures);
}

Cause about_numbers_of_ranks(unsigned usual, const Failing& failures,
                             const std::vector<const Case*>& passed) {
  if (failures.front()->test->ranks > 0) {
    if (all_of(failures, [](const Case& test) { return test.ranks == 1; })) {
      return {"one_rank", "wrong on one rank, right on several: does it wait for a message?"};
    }
    return about_sharing(Among::ranks, usual, std::to_string(usual), failures);
  }
  if (usual < 2) return {};
  std::set<bool> wrong, right;  // Do the bodies leave a remainder?
  const auto note = [&](const Case& test, std::set<bool>& in) {
    if (test.n() >= usual && test.ranks == 0) in.insert(test.n() % usual != 0);
  };
  for (const Failure* failure : failures) note(*failure->test, wrong);
  for (const Case* test : passed) note(*test, right);
  if (wrong != std::set{true} || right != std::set{false}) return {};
  return {"remainder_of_ranks",
          fmt::format("right where the bodies are a multiple of the {} ranks, wrong otherwise: "
                      "which rank has the remainder?",
                      usual)};
}

Cause about_later_steps(const Failing& failures, const std::vector<const Case*>& passed,
                        const std::vector<const Case*>& passed_of_all) {
  // Accelerations that are asked for are computed after the last step.
  for (const bool and_asked : {true, false}) {
    const auto computes_again = [&](const Case& test) {
      return test.request.steps + (and_asked && test.request.accelerations ? 1 : 0) > 1;
    };
    if (!all_of(failures, computes_again)) continue;
    std::size_t fewest = SIZE_MAX, right_again = 0, right_once = 0;
    for (const Failure* failure : failures) fewest = std::min(fewest, failure->test->n());
    for (const Case* test : passed) {
      if (computes_again(*test)) right_again = std::max(right_again, test->n());
    }
    for (const Case* test : passed_of_all) {
      if (!computes_again(*test)) right_once = std::max(right_once, test->n());
    }
    if (right_again == 0 || right_again >= fewest || right_once < fewest) continue;
    return {"stale_from_a_size",
            fmt::format("the first step is right with any number of bodies, later ones are right "
                        "with {}, but not with {} or more: is something kept from the step before "
                        "where there are many bodies?",
                        right_again, fewest)};
  }
  return {};
}

Cause about_sizes(const Failing& failures, const std::vector<const Case*>& passed) {
  std::set<std::size_t> wrong, right;
  for (const Failure* failure : failures) wrong.insert(failure->test->n());
  for (const Case* test : passed) {
    if (wrong.count(test->n()) == 0) right.insert(test->n());
  }
  if (wrong == std::set<std::size_t>{1}) {
    if (failures.front()->test->request.steps > 0) {
      return {"lone_body",
              "only a body alone is moved wrongly: nothing pulls it, so it flies on by v dt. Are "
              "steps left out where there is one body?"};
    }
    return {"lone_body",
            "only a body alone is wrong, which feels nothing: does padding behind the last body "
            "have mass? Give it mass 0. Or does the body meet itself?"};
  }
  const bool passed_too = std::any_of(passed.begin(), passed.end(),
                                      [&](const Case* test) { return wrong.count(test->n()) > 0; });
  if (right.size() < 3 || (wrong.size() < 3 && passed_too)) return {};
  if (*wrong.begin() > *right.rbegin()) {
    return {
        "too_many",
        fmt::format("right up to {} bodies, wrong with {} and more: is an array or an index too "
                    "small?",
                    *right.rbegin(), *wrong.begin())};
  }
  if (wrong.size() >= 3) return about_rests(wrong, right);
  const Cause steps = about_steps(failures, passed);
  if (steps.is_known() || right.size() < enough) return steps;
  return {"multiples",
          fmt::format("wrong with {} bodies, right with {} other numbers of bodies: {} of what a "
                      "loop, a tile or a block takes at a time?",
                      fmt::join(wrong, " and "), right.size(),
                      wrong.size() > 1 ? "are these multiples" : "is that a multiple")};
}

Cause about_digits(const Failing& failures, const std::vector<const Case*>& passed,
                   const Rows& rows, bool fallback) {
  if (!all_of(failures, [](const Case& test) { return test.group == Group::forces; })) return {};
  const double error = largest_error(failures, rows);
  const double digits = -std::log10(error);
  if (!fallback) {
    if (rows[failures.front()->row].limit < 1e-9) {
      if (!(error <= 1e-4)) return {};
      return {"float", fmt::format("right to about {:.0f} digits: somewhere float is used instead "
                                   "of double",
                                   digits)};
    }
    if (!(error <= largest_error_of_raw_root) || !is_a_raw_root(failures)) return {};
    return {"raw_root",
            fmt::format("right to about {:.0f} digits: a raw reciprocal square root (12 to 14 "
                        "bits)? One Newton step makes it exact enough. Or is something rounded to "
                        "half precision?",
                        digits)};
  }
  if (are_eleven_bits(failures, passed, rows)) {
    return {"eleven_bits",
            "right to about 3 digits with two or three bodies, with many bodies hardly at all: are "
            "squared distances made of numbers with 11 bits (half precision, TF32)?"};
  }
  if (error <= largest_error_of_raw_root && failures.front()->test->n() > widest &&
      median_error(*failures.front()) >= error / 3000) {
    return {"halves", fmt::format("right to about {:.0f} digits, where there are many bodies: is "
                                  "something rounded to half precision or a root estimated in some "
                                  "of the sums, or are small pulls left out?",
                                  digits)};
  }
  if (!is_little(failures, rows)) return {};
  return {
      "nearly_right",
      "nearly right: is what is far away taken together, as in a tree, or a root estimated with "
      "too few steps?"};
}

}  // namespace nbody::check
