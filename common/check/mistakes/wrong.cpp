// The program `wrong`: any simulator's options, and the mistake to make.
//
//   wrong --mistake mass_of_target --serve     (or: LAB_MISTAKE=mass_of_target wrong --serve)
//   wrong --list                               the table of docs/mistakes.md

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "check/mistakes/mistaken.hpp"
#include "core/input_error.hpp"
#include "core/run_main.hpp"
#include "simulator/implementation.hpp"

namespace nbody::check {
namespace {

// In the environment, so that the program for double, which replaces this one, makes it too.
constexpr const char* variable = "LAB_MISTAKE";

const Mistake& chosen() {
  const char* name = std::getenv(variable);
  const Mistake* mistake = name == nullptr ? nullptr : mistake_named(name);
  if (mistake == nullptr) {
    throw InputError(fmt::format("--mistake '{}': there is no such mistake; --list shows all",
                                 name == nullptr ? "" : name));
  }
  return *mistake;
}

}  // namespace
}  // namespace nbody::check

const nbody::Implementation nbody::implementation{
    .part = "wrong",
    .name = "wrong",
    .summary = "makes one mistake",
    .flags = "-O3",
    .instruction_set = "",
    .make = +[](const Problem& problem) -> std::unique_ptr<Simulator> {
      return std::make_unique<check::MistakenOf<real>>(problem, check::chosen());
    }};

int main(int argc, char** argv) {
  return nbody::run_main("wrong", [&] {
    if (argc == 2 && std::strcmp(argv[1], "--list") == 0) {
      fmt::print("{}", nbody::check::markdown_table());
      return 0;
    }
    char** const option = std::find_if(
        argv, argv + argc, [](const char* word) { return std::strcmp(word, "--mistake") == 0; });
    if (argv + argc - option > 1) {
      setenv(nbody::check::variable, option[1], 1);
      std::copy(option + 2, argv + argc + 1, option);  // with the null behind them
      argc -= 2;
    }
    nbody::check::chosen();
    return nbody::run_simulator(argc, argv);
  });
}
