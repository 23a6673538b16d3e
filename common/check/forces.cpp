#include <fmt/format.h>

#include "check/check_scenes.hpp"
#include "check/describe.hpp"
#include "check/error_measure.hpp"
#include "check/force_diagnosis.hpp"
#include "check/plan.hpp"

namespace nbody {
namespace {

// References of one size, kept to recognise an answer that belongs to an earlier request.
class Forces {
 public:
  Forces(Subject& subject, const Plan& plan, Rows& rows)
      : subject_(subject), plan_(plan), rows_(rows) {}

  void judge(CheckScene kind, std::size_t n, std::uint64_t seed) {
    const Scene scene = make_check_scene(kind, n, seed);
    Row row{"forces", name_of(kind), n, seed};
    row.limit = force_limit(subject_.tolerance(), n);
    const Reference reference =
        reference_accelerations(scene.bodies, scene.setting.G, scene.setting.softening);
    try {
      Request request = subject_.request_for(scene);
      request.want_accelerations = true;
      const Answer answer = subject_.ask(request);
      const ForceError error = force_error(reference, answer.accelerations);
      row.error = error.max;
      row.verdict = judged(row.error, row.limit);
      row.detail = describe_force_error(error);
      if (row.verdict == Verdict::failed) {
        row.diagnosis =
            diagnose_forces({scene, reference, answer.accelerations, earlier_}, request, subject_);
      }
    } catch (const SessionError& fault) {
      note_fault(row, fault);
    }
    if (!earlier_.empty() && earlier_.front().acceleration.size() != n) earlier_.clear();
    earlier_.push_back(reference);
    plan_.on_row(row);
    rows_.push_back(std::move(row));
  }

 private:
  Subject& subject_;
  const Plan& plan_;
  Rows& rows_;
  std::vector<Reference> earlier_;
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

}  // namespace nbody
