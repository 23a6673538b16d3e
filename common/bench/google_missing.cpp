#include "bench/google.hpp"
#include "bodies/input_error.hpp"

// Replaces google.cpp if the library is missing.

namespace nbody::bench {

std::string reason_against_google() {
  return "Google Benchmark is missing: run ./lab setup (or install libbenchmark-dev), then cmake "
         "build/release";
}

std::string run_with_google(std::vector<GoogleCase>&, int, double,
                            const std::function<void(const std::string&)>&) {
  throw InputError(reason_against_google());
}

}  // namespace nbody::bench
