#include <cstdio>
#include <exception>
#include <new>
#include <string>

#include "bodies/input_error.hpp"
#include "bodies/words.hpp"
#include "protocol/server.hpp"
#include "simulator/command_line.hpp"
#include "simulator/run.hpp"
#include "simulator/simulation.hpp"

namespace nbody {
namespace {

constexpr const char* no_output =
    "standard output cannot be written: make room, or send it elsewhere";

// One line, whatever the words of the command line hold.
int complain(const std::string& what) {
  std::fprintf(stderr, "%s: %s\n", implementation.name, printable(what).c_str());
  return 2;
}

int follow(int argc, char** argv) {
  const auto options = parse_command_line(argc, argv, implementation);
  if (!options) return 0;
  if (implementation.accelerator != nullptr) implementation.accelerator->demand();
  if (options->serve) {
    return serve([&](const Request& request) {
      return answer_request(implementation, request, options->tuning);
    });
  }
  return run(implementation, *options);
}

}  // namespace
}  // namespace nbody

// The main function of every implementation program.
int main(int argc, char** argv) {
  using namespace nbody;
  try {
    const int status = follow(argc, argv);
    // A full disk may show only when the buffer is flushed.
    const bool flushed = std::fflush(stdout) == 0;
    return flushed && !std::ferror(stdout) ? status : complain(no_output);
  } catch (const std::bad_alloc&) {
    return complain("not enough memory: fewer bodies (-n)");
  } catch (const std::exception& error) {
    return complain(std::ferror(stdout) ? no_output : error.what());
  }
}
