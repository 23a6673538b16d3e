#include <fmt/format.h>

#include "worksheet/judge.hpp"
#include "worksheet/paper_device.hpp"
#include "worksheet/part3_questions.hpp"
#include "worksheet/sheet.hpp"

namespace nbody {

Sheet judged_sheet(const WorksheetTruth& truth) {
  const std::string authors = part3_answers(judged_sizes[0]).authors;
  Sheet sheet = {"part3", authors, "", judge_part3(part3_answers, truth)};
  if (authors.empty()) return sheet;
  const PaperDevice device = paper_device_of(authors);
  sheet.paper_machine = fmt::format(
      "a GPU of {} multiprocessors with {} float units each, {:.2f} GHz, memory {:.0f} GB/s;\n"
      "  a copy takes {:.0f} us and {:.0f} GB/s, an empty kernel {:.1f} us; the kernels of an\n"
      "  iteration of naive take {:.0f} us with 1000 bodies, {:.0f} ms with 100 000",
      device.multiprocessors, device.float_units, device.clock, device.bandwidth,
      device.copy_start_us, device.bus, device.launch_us, device.kernels_few_us,
      device.kernels_many_ms);
  return sheet;
}

std::string reason_to_hide_counts(const std::string& name, const Sheet& sheet,
                                  const WorksheetTruth& truth) {
  return reason_to_hide_counts_of_part3(name, sheet.lines, truth);
}

}  // namespace nbody
