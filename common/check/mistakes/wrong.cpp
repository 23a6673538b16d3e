// The program `wrong`: any simulator's options, and the mistake to make.
//
//   wrong --mistake mass_of_target --serve     (or: LAB_MISTAKE=mass_of_target wrong --serve)
//   wrong --list                               the table of docs/checking.md

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <cstring>

#include "check/mistakes/mistaken.hpp"
#include "core/input_error.hpp"
#include "core/reference.hpp"
#include "core/run_main.hpp"
#include "simulator/implementation.hpp"
#include "simulator/run_simulator.hpp"

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

// Removes `--mistake NAME` from the arguments, wherever it is.
void take_mistake(int& argc, char** argv) {
  for (int k = 1; k + 1 < argc; ++k) {
    if (std::strcmp(argv[k], "--mistake") != 0) continue;
    setenv(variable, argv[k + 1], 1);
    for (int next = k + 2; next <= argc; ++next) argv[next - 2] = argv[next];
    argc -= 2;
    return;
  }
}

// Like a student's program, it keeps naive's right jerk: the checker must find the mistake all the
// same.
class Wrong : public MistakenOf<real> {
 public:
  using MistakenOf<real>::MistakenOf;

  void accelerations_and_jerk(Vectors<real>& a, Vectors<real>& jerk) override {
    const Bodies<double> now = in_precision<double>(bodies);
    const double eps = std::sqrt(double(softening2));
    a = in_precision<real>(reference_accelerations(now, double(G), eps).acceleration);
    jerk = in_precision<real>(reference_jerk(now, double(G), eps));
  }
};

}  // namespace
}  // namespace nbody::check

const nbody::Implementation nbody::implementation{
    .part = "wrong",
    .name = "wrong",
    .summary = "makes one mistake",
    .flags = "-O3",
    .instruction_set = "",
    .make = +[](const Problem& problem) -> std::unique_ptr<Simulator> {
      return std::make_unique<check::Wrong>(problem, check::chosen());
    },
    .has_jerk = true};

int main(int argc, char** argv) {
  return nbody::run_main("wrong", [&] {
    if (argc == 2 && std::strcmp(argv[1], "--list") == 0) {
      fmt::print("{}", nbody::check::markdown_table());
      return 0;
    }
    nbody::check::take_mistake(argc, argv);
    nbody::check::chosen();
    return nbody::run_simulator(argc, argv);
  });
}
