#pragma once

#include "bench/result.hpp"

namespace nbody::bench {

// A row whose middle half reaches from 1 - spread/2 to 1 + spread/2 of its rate.
inline BenchRow test_row(const std::string& name, const BenchSetup& setup, double rate,
                         double spread = 0.04) {
  BenchRow row;
  row.name = name;
  row.flags = "-O3";
  row.setup = setup;
  row.rounds = 7;
  const double low = rate * (1 - spread / 2), high = rate * (1 + spread / 2);
  row.rate = {rate, low, high, low, high};
  const double work = static_cast<double>(setup.n) * static_cast<double>(setup.n);
  row.seconds = {work / rate, work / high, work / low, work / high, work / low};
  row.verdict = "right";
  return row;
}

inline BenchContext test_context() {
  BenchContext context;
  context.part = "zoo";
  context.scene = "plummer";
  context.cpu = "Abacus 2";
  context.compiler = "g++ 12";
  context.date = "2026-11-21";
  return context;
}

}  // namespace nbody::bench
