#pragma once

#include <string>

#include "worksheet/truth.hpp"

namespace nbody {

// A worksheet that was judged.
struct Sheet {
  std::string part;
  std::string authors;
  std::string paper_machine;  // one line: what the authors' names make
  Lines lines;
};

// Each part has its own of these two, in PART_sheet.cpp; its worksheet program is linked with it.
Sheet judged_sheet(const WorksheetTruth& truth);
std::string reason_to_hide_counts(const std::string& name, const Sheet& sheet,
                                  const WorksheetTruth& truth);

}  // namespace nbody
