#include <limits>
#include <map>
#include <tuple>

#include "bodies/units.hpp"
#include "check/check_scenes.hpp"
#include "check/error_measure.hpp"
#include "check/force_diagnosis.hpp"
#include "check/plan.hpp"
#include "check/step_bounds.hpp"

namespace nbody::check {
namespace {

struct LadderCase {
  Scene scene;
  Reference reference;
};

// Made once for all implementations that the checker judges.
const LadderCase& ladder_case(CheckScene kind, std::size_t n, std::uint64_t seed) {
  static std::map<std::tuple<CheckScene, std::size_t, std::uint64_t>, LadderCase> cases;
  const auto key = std::make_tuple(kind, n, seed);
  auto found = cases.find(key);
  if (found == cases.end()) {
    const Scene scene = make_check_scene(kind, n, seed);
    found = cases.emplace(key, LadderCase{scene, reference_of(scene)}).first;
  }
  return found->second;
}

// What the answer to `then` looks like when repeated for `now`: the same working numbers, converted
// to SI by the units of `now`.
Reference stale(const LadderCase& then, const LadderCase& now) {
  const auto unit = [](const LadderCase& test) {
    return Units::for_bodies(test.scene.bodies, test.scene.setting.G)
        .acceleration_to_si({{1}, {0}, {0}})
        .x.front();
  };
  const double scale = unit(now) / unit(then);
  Reference reference = then.reference;
  auto& a = reference.acceleration;
  for (auto* column : {&a.x, &a.y, &a.z, &reference.magnitude}) {
    for (double& value : *column) value *= scale;
  }
  return reference;
}

bool moved(const protocol::State& state, const Scene& scene) {
  const protocol::State sent = state_of(scene);
  return state.position != sent.position || state.velocity != sent.velocity;
}

class Forces {
 public:
  Forces(Subject& subject, const Plan& plan, Rows& rows)
      : subject_(subject), plan_(plan), rows_(rows) {}

  void judge(CheckScene kind, std::size_t n, std::uint64_t seed) {
    const LadderCase& test = ladder_case(kind, n, seed);
    add_row(rows_, plan_, subject_,
            {"forces", name_of(kind), n, seed, 0, force_limit(subject_.tolerance(), n)},
            [&](Row& row) { judge(test, row); });
    if (!earlier_.empty() && earlier_.front()->scene.bodies.size() != n) earlier_.clear();
    earlier_.push_back(&test);
  }

 private:
  void judge(const LadderCase& test, Row& row) {
    protocol::Request request = subject_.request_for(test.scene);
    request.want_accelerations = true;
    const protocol::Answer answer = subject_.ask(request);
    judge_forces(row, test.reference, answer.accelerations);
    if (moved(answer.states.front(), test.scene)) {
      row.error = std::numeric_limits<double>::infinity();
      row.verdict = Verdict::failed;
      row.detail = "only accelerations were requested, but the bodies moved";
      row.hypotheses = {{"moved", diagnose_moved(answer.states.front()), Reach::one_case}};
    } else if (row.verdict == Verdict::failed) {
      std::vector<Reference> stale_answers;
      for (const LadderCase* then : earlier_) stale_answers.push_back(stale(*then, test));
      row.hypotheses = diagnose_forces(
          {test.scene, test.reference, answer.accelerations, stale_answers}, subject_);
    }
  }

  std::string diagnose_moved(const protocol::State& state) const {
    for (const LadderCase* then : earlier_) {
      if (!moved(state, then->scene)) return "this is the answer to an earlier request";
    }
    return "advance(0) moves the bodies: does advance(steps) make a step too many?";
  }

  Subject& subject_;
  const Plan& plan_;
  Rows& rows_;
  std::vector<const LadderCase*> earlier_;  // asked before, of the same size
};

}  // namespace

void check_forces(Subject& subject, const Plan& plan, Rows& rows) {
  Forces forces(subject, plan, rows);
  for (const std::size_t n : ladder_sizes()) {
    if (n > plan.largest_n) continue;
    for (const CheckScene kind : check_scenes()) {
      for (std::uint64_t k = 0; k < plan.seeds; ++k) forces.judge(kind, n, plan.seed + k);
    }
  }
}

}  // namespace nbody::check
