#include "core/run_main.hpp"

#include <cstdio>
#include <exception>
#include <new>
#include <string>

#include "core/input_error.hpp"

namespace nbody {
namespace {

constexpr const char* no_output = "standard output cannot be written: make room, or redirect it";

// One line, whatever the command line contains.
int complain(const char* program, const std::string& what) {
  std::fprintf(stderr, "%s: %s\n", program, printable(what).c_str());
  return 2;
}

}  // namespace

int run_main(const char* program, const std::function<int()>& body) {
  try {
    const int status = body();
    // A full disk may only show when the buffer is flushed.
    const bool flushed = std::fflush(stdout) == 0;
    return flushed && !std::ferror(stdout) ? status : complain(program, no_output);
  } catch (const std::bad_alloc&) {
    return complain(program, "not enough memory: use fewer bodies (-n)");
  } catch (const std::exception& error) {
    return complain(program, std::ferror(stdout) ? no_output : error.what());
  }
}

}  // namespace nbody
