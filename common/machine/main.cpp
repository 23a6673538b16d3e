#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "bodies/text_file.hpp"
#include "command_line/command_line.hpp"
#include "command_line/run_main.hpp"
#include "machine/card.hpp"

// ./lab machine: what operations cost on this processor, and how fast one core can be.

namespace {

using namespace nbody;

void show_progress(const std::string& what) {
  if (isatty(STDERR_FILENO) == 0) return;
  fmt::print(stderr, "\r\033[K{}", what.empty() ? "" : "measuring: " + what);
}

int show_card(const std::string& json) {
  if (!json.empty()) demand_writable(json);
  const Card card = measure_card(show_progress);
  if (!json.empty()) write_text_file(json, card_json(card));
  fmt::print("{}", card_text(card));
  return 0;
}

int parse_and_show(int argc, char** argv) {
  std::string json;
  CommandLine line("What operations cost on this processor, and how fast one core can be.",
                   "machine");
  line.text("--json", "FILE", json, "write the numbers to this file");
  return line.parse(argc, argv) ? show_card(json) : 0;
}

}  // namespace

int main(int argc, char** argv) {
  return run_main("machine", [&] { return parse_and_show(argc, argv); });
}
