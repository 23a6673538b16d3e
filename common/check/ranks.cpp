#include <fmt/format.h>

#include <array>
#include <limits>
#include <map>
#include <string_view>

#include "check/check_scenes.hpp"
#include "check/error_measure.hpp"
#include "check/force_diagnosis.hpp"
#include "check/plan.hpp"
#include "check/step_bounds.hpp"
#include "check/step_diagnosis.hpp"

namespace nbody::check {
namespace {

// Fewer bodies than ranks, not a multiple of them, and enough that a message exceeds what a library
// sends eagerly (64 KiB with MPICH).
constexpr std::array<std::size_t, 4> sizes = {2, 5, 1021, 20011};
constexpr std::size_t many = 5000, rows_of_many = 64;
constexpr std::uint64_t steps = 2;

std::vector<std::size_t> compared_rows(std::size_t n) {
  std::vector<std::size_t> rows;
  const std::size_t count = n < many ? n : rows_of_many;
  for (std::size_t k = 0; k < count; ++k)
    rows.push_back(count == n ? k : k * (n - 1) / (count - 1));
  return rows;
}

double farthest(const Vectors<double>& a, const Vectors<double>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.x.size(); ++i) {
    const double apart = distance(a, b, i);
    if (!(apart <= most)) most = apart;  // so that NaN stays
  }
  return most;
}

// Two programs that agree differ by a millionth of the path in float.
constexpr double same_way = 1e-3;

bool went_as_one_rank(const Scene& scene, const protocol::State& state,
                      const protocol::State& of_one) {
  if (of_one.position.x.empty()) return true;  // one rank was not asked with this many bodies
  const protocol::State sent = state_of(scene);
  return farthest(state.position, of_one.position) <=
             same_way * farthest(of_one.position, sent.position) &&
         farthest(state.velocity, of_one.velocity) <=
             same_way * farthest(of_one.velocity, sent.velocity);
}

std::string diagnose_wrong_on(unsigned ranks, std::size_t bodies) {
  if (bodies < ranks) {
    return fmt::format(
        "wrong with {} bodies on {} ranks, right on one: what does a rank without "
        "bodies send?",
        bodies, ranks);
  }
  return fmt::format(
      "wrong on {} ranks, right on one: is the remainder lost when {} bodies are "
      "shared out, or a buffer changed before its message has left?",
      ranks, bodies);
}

// Judges the accelerations after two steps, at the positions it reached, and whether these are the
// positions that one rank reaches. A run on one rank stores its state in of_one.
void judge(Subject& subject, const Scene& scene, bool right_on_one, Row& row,
           protocol::State& of_one) {
  protocol::Request request = subject.request_for(scene);
  request.want_accelerations = true;
  request.steps = steps;
  request.adaptive = true;
  const protocol::Answer answer = subject.ask(request);
  const protocol::State& state = answer.states.back();
  const auto rows = compared_rows(scene.bodies.size());
  const Reference reference = reference_accelerations(bodies_in(scene, state), scene.setting.G,
                                                      scene.setting.softening, rows);
  judge_forces(row, reference, rows_of(answer.accelerations, rows));
  if (subject.ranks() == 1) {
    of_one = state;
    return;
  }
  if (row.verdict == Verdict::passed && right_on_one && !went_as_one_rank(scene, state, of_one)) {
    row.verdict = Verdict::failed;
    row.error = std::numeric_limits<double>::infinity();
    row.diagnosis = fmt::format(
        "on {} ranks the bodies end elsewhere than on one: do all ranks move theirs, by the same "
        "step?",
        subject.ranks());
  }
  if (row.verdict != Verdict::failed || !right_on_one || !row.diagnosis.empty()) return;
  row.diagnosis = diagnose_wrong_on(subject.ranks(), scene.bodies.size());
}

// Wrong if and only if some ranks have one body more than others.
bool remainder_is_lost(const Rows& rows, unsigned ranks) {
  bool even_is_right = false, odd_is_right = false, odd_is_wrong = false;
  for (const Row& row : rows) {
    if (row.group != "forces" || row.n < ranks) continue;
    const bool even = row.n % ranks == 0, right = row.verdict == Verdict::passed;
    if (even && !right) return false;
    even_is_right |= even;
    odd_is_right |= !even && right;
    odd_is_wrong |= !even && !right;
  }
  return even_is_right && odd_is_wrong && !odd_is_right;
}

// Replaces what other groups say about threads and steps: messages are the likelier cause.
void say_it_of_ranks(Rows& rows, unsigned ranks) {
  if (ranks > 1 && remainder_is_lost(rows, ranks)) {
    for (Row& row : rows) {
      if (row.verdict != Verdict::failed) continue;
      row.diagnosis = fmt::format(
          "right where the bodies are a multiple of the {} ranks, wrong otherwise: which rank has "
          "the remainder?",
          ranks);
      row.hypotheses = {};
    }
    return;
  }
  const std::array<std::array<std::string_view, 2>, 2> words = {{
      {answers_change_text,
       "the same request gave two different answers: is the buffer of a message changed before the "
       "message has left, or read before it has arrived?"},
      {other_step_text,
       "the bodies do not move by the step that rank 0 returns: does each rank take a time step of "
       "its own (no MPI_Allreduce)?"},
  }};
  for (Row& row : rows) {
    for (const auto& [said, better] : words) {
      if (row.diagnosis == said) row.diagnosis = better;
    }
  }
}

}  // namespace

// The same bodies on several numbers of ranks, each a separate run.
void check_ranks(Subject& subject, const Plan& plan, Rows& rows) {
  say_it_of_ranks(rows, subject.ranks());
  std::map<std::size_t, protocol::State>
      of_one;  // where one rank's bodies end, by number of bodies
  bool right_on_one = true;
  for (const unsigned ranks : {1u, 2u, 3u, 4u, 7u}) {
    Subject other = subject.with_ranks(ranks);
    other.on_ask = subject.on_ask;
    other.give_up_like(subject);
    for (const std::size_t n : sizes) {
      if (n > many && ranks != 2) continue;  // they are slow
      const Scene scene = make_check_scene(CheckScene::heavy_tail, n, plan.seed);
      const std::string what = fmt::format("{} rank{}", ranks, ranks > 1 ? "s" : "");
      Row& row = add_row(rows, plan, other,
                         {"ranks", what, n, plan.seed, 0, force_limit(subject.tolerance(), n)},
                         [&](Row& made) { judge(other, scene, right_on_one, made, of_one[n]); });
      if (ranks == 1) right_on_one = right_on_one && row.verdict == Verdict::passed;
    }
    subject.give_up_like(other);
  }
}

}  // namespace nbody::check
