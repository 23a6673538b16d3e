#include "core/run_main.hpp"
#include "simulator/implementation.hpp"

// The main function of every implementation program.
int main(int argc, char** argv) {
  return nbody::run_main(nbody::implementation.name,
                         [&] { return nbody::run_simulator(argc, argv); });
}
