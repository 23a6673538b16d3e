#include <cstdio>
#include <exception>
#include <new>

#include "bodies/input_error.hpp"
#include "protocol/server.hpp"
#include "simulator/command_line.hpp"
#include "simulator/run.hpp"
#include "simulator/simulation.hpp"

// The main function of every implementation program.
int main(int argc, char** argv) {
  using namespace nbody;
  try {
    const auto options = parse_command_line(argc, argv, implementation);
    if (!options) return 0;
    if (options->serve) {
      return serve([](const Request& request) { return answer_request(implementation, request); });
    }
    return run(implementation, *options);
  } catch (const InputError& error) {
    std::fprintf(stderr, "%s: %s\n", implementation.name, error.what());
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "%s: not enough memory: fewer bodies (-n)\n", implementation.name);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", implementation.name, error.what());
  }
  return 2;
}
