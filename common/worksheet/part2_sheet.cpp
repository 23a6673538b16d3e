#include <fmt/format.h>

#include "worksheet/judge.hpp"
#include "worksheet/paper_processor.hpp"
#include "worksheet/part2_questions.hpp"
#include "worksheet/sheet.hpp"

namespace nbody {

Sheet judged_sheet(const WorksheetTruth& truth) {
  const std::string authors = part2_answers(judged_sizes[0]).authors;
  Sheet sheet = {"part2", authors, "", judge_part2(part2_answers, truth)};
  if (authors.empty()) return sheet;
  const PaperProcessor processor = paper_processor_of(authors);
  sheet.paper_machine = fmt::format(
      "{} lanes of float, ports {}, an estimate of 1/sqrt takes {} slots, root and division of a "
      "batch {:.0f} cycles",
      processor.lanes, processor.ports, processor.estimate_slots, processor.root_and_division);
  return sheet;
}

std::string reason_to_hide_counts(const std::string& name, const Sheet& sheet,
                                  const WorksheetTruth& truth) {
  return reason_to_hide_counts_of_part2(name, sheet.lines, truth);
}

}  // namespace nbody
