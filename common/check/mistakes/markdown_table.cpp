#include "check/mistakes/markdown_table.hpp"

#include <fmt/format.h>

#include "check/mistakes/mistake.hpp"

namespace nbody::check {

std::string markdown_table() {
  std::string text = "| mistake | what the code does | what the checker says |\n|---|---|---|\n";
  for (const Mistake& mistake : mistakes()) {
    const bool whole = mistake.recognised != Recognised::by_code;
    text += fmt::format("| {} | {} | {}{} |\n", mistake.name, mistake.code, whole ? "" : "... ",
                        mistake.diagnosis);
  }
  return text;
}

}  // namespace nbody::check
