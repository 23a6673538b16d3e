#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "bodies/plain_complaint.hpp"
#include "bodies/text_file.hpp"
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

}  // namespace

int main(int argc, char** argv) {
  std::string json;
  CLI::App app("What operations cost on this processor, and how fast one core can be.", "machine");
  app.add_option("--json", json, "write the numbers to this file");
  try {
    app.parse(argc, argv);
    return show_card(json);
  } catch (const CLI::Success& done) {
    return app.exit(done);
  } catch (const CLI::ParseError& fault) {
    fmt::print(stderr, "machine: {}; --help lists the options\n",
               nbody::plain_complaint(fault.what()));
  } catch (const std::exception& error) {
    fmt::print(stderr, "machine: {}\n", error.what());
  }
  return 2;
}
