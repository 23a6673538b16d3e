#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "command_line/command_line.hpp"
#include "command_line/run_main.hpp"
#include "machine/facts.hpp"
#include "machine/prices.hpp"

// bin/machine: what the system reports about this machine, and what single operations cost, as
// JSON. ./lab turns it into a card (common/lab/src/nbody_lab/measure/card.py).

namespace {

using namespace nbody;
using namespace nbody::machine;
using Json = nlohmann::ordered_json;

Json json_of(const Measured& measured) {
  return {{"median", measured.median}, {"spread", measured.spread}};
}

Json json_of(const MachineFacts& facts) {
  return {{"cpu", facts.cpu},
          {"virtual_machine", facts.virtual_machine},
          {"cores", facts.cores},
          {"hardware_threads", facts.hardware_threads},
          {"processor_quota", facts.processor_quota},
          {"l1d_bytes", facts.l1d},
          {"l2_bytes", facts.l2},
          {"l3_bytes", facts.l3},
          {"simd", facts.simd},
          {"compiler", facts.compiler},
          {"system", facts.system}};
}

Json json_of(const Price& price) {
  Json json = {{"operation", price.operation},
               {"precision", price.precision},
               {"note", price.note},
               {"there", price.there}};
  if (price.there) {
    json["latency_cycles"] = json_of(price.latency);
    json["one_every_cycles"] = json_of(price.one_every);
  }
  return json;
}

double clock_hz() {
  std::vector<double> cycles;
  for (int round = 0; round < 101; ++round) cycles.push_back(cycle_seconds());
  return 1 / measured_of(cycles).median;
}

int parse_and_measure(int argc, char** argv) {
  bool facts_only = false;
  command_line::CommandLine line("Facts about this machine and prices of operations, as JSON.",
                                 "machine");
  line.flag("--facts", facts_only, "measure nothing");
  if (!line.parse(argc, argv)) return 0;
  Json json = {{"machine", json_of(machine_facts())}};
  if (!facts_only) {
    json["clock_hz"] = clock_hz();
    json["prices"] = Json::array();
    for (const Price& price : measure_prices()) json["prices"].push_back(json_of(price));
  }
  fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return command_line::run_main("machine", [&] { return parse_and_measure(argc, argv); });
}
