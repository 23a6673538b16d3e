#include <nlohmann/json.hpp>

#include "machine/card.hpp"
#include "machine/machine.hpp"

namespace nbody {
namespace {

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

Json json_of(const Ceilings& ceilings) {
  return {{"what", "one core, float, without SIMD"},
          {"flops_per_s", json_of(ceilings.flops_per_second)},
          {"fma_flops_per_s", json_of(ceilings.fma_flops_per_second)},
          {"l1_load_bytes_per_s", json_of(ceilings.l1_bytes_per_second)},
          {"memory_load_bytes_per_s", json_of(ceilings.memory_bytes_per_second)},
          {"l1_array_bytes", ceilings.l1_array},
          {"memory_array_bytes", ceilings.memory_array}};
}

}  // namespace

std::string card_json(const Card& card) {
  Json json = {{"what", "prices of operations and ceilings of one core"},
               {"date", date_today()},
               {"machine", json_of(card.facts)},
               {"clock_hz", card.clock_hz},
               {"prices", Json::array()},
               {"ceilings", json_of(card.ceilings)}};
  for (const Price& price : card.prices) json["prices"].push_back(json_of(price));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace nbody
