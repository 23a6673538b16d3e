#include "bench/google.hpp"
#include "core/input_error.hpp"

// Replaces google.cpp if the library is missing.

namespace nbody::bench {

class GoogleRounds::Collector {};

std::string reason_against_google() {
  return "Google Benchmark is missing: run ./lab setup (or install libbenchmark-dev), then cmake "
         "build/release";
}

GoogleRounds::GoogleRounds() { throw InputError(reason_against_google()); }
GoogleRounds::~GoogleRounds() = default;
void GoogleRounds::measure(const std::vector<GoogleCase*>&, double&,
                           const std::function<bool(const GoogleCase&)>&) {}
std::string GoogleRounds::json() const { return ""; }

}  // namespace nbody::bench
