#include "worksheet/truth.hpp"

#include <fmt/format.h>

namespace nbody {

std::string reason_to_hide(const std::string& name, bool counted_right, const WorksheetTruth& truth,
                           const std::string& once) {
  if (counted_right) return "";
  const bool same_work = truth.counts_of(name) == truth.counts_of("naive");
  if (name != "naive" && !same_work) return "";
  return fmt::format("{}count by hand first: the numbers are shown once {}",
                     name == "naive" ? "" : name + " still does the work of naive; ", once);
}

}  // namespace nbody
