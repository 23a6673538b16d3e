#include <fmt/format.h>

#include "worksheet/judge.hpp"
#include "worksheet/paper_machine.hpp"
#include "worksheet/part1_questions.hpp"
#include "worksheet/sheet.hpp"

namespace nbody {

Sheet judged_sheet(const WorksheetTruth& truth) {
  const std::string authors = part1_answers(judged_sizes[0]).authors;
  Sheet sheet = {"part1", authors, "", judge_part1(part1_answers, truth)};
  if (authors.empty()) return sheet;
  const PaperMachine machine = paper_machine_of(authors);
  sheet.paper_machine =
      fmt::format("peak {:.1f} Gflop/s, with fma {:.1f} Gflop/s, bandwidth {:.1f} GB/s",
                  machine.peak, machine.peak_with_fma, machine.bandwidth);
  return sheet;
}

std::string reason_to_hide_counts(const std::string& name, const Sheet& sheet,
                                  const WorksheetTruth& truth) {
  return reason_to_hide_counts(name, sheet.lines, truth);
}

}  // namespace nbody
