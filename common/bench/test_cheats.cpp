// The program `cheats`:  cheats --cheat sleeps --serve
#include <cstring>

#include "check/zoo/wrong/cheats.hpp"
#include "core/input_error.hpp"
#include "core/run_main.hpp"
#include "simulator/implementation.hpp"

const nbody::Implementation nbody::implementation = nbody::cheats();

int main(int argc, char** argv) {
  return nbody::run_main("cheats", [&] {
    for (int k = 1; k + 1 < argc; ++k) {
      if (std::strcmp(argv[k], "--cheat") != 0) continue;
      nbody::trick = argv[k + 1];
      for (int next = k + 2; next <= argc; ++next) argv[next - 2] = argv[next];
      return nbody::run_simulator(argc - 2, argv);
    }
    throw nbody::InputError("needs --cheat NAME");
  });
}
