#include <fmt/format.h>

#include <algorithm>

#include "machine/card.hpp"
#include "report/table.hpp"

namespace nbody {
namespace {

std::string bytes_text(std::size_t bytes) {
  if (bytes == 0) return "unknown";
  if (bytes < (1u << 20)) return fmt::format("{} KiB", bytes >> 10);
  return fmt::format("{:.4g} MiB", static_cast<double>(bytes) / (1 << 20));
}

std::string fact(const char* name, const std::string& value) {
  return fmt::format("  {:<12}{}\n", name, value);
}

std::string processors_text(const MachineFacts& facts) {
  std::string text =
      fmt::format("{} cores, {} hardware threads", facts.cores, facts.hardware_threads);
  if (facts.processor_quota > 0) {
    text += fmt::format("; no more than {:.3g} at a time (limit of the container)",
                        facts.processor_quota);
  }
  return text;
}

std::string words_text(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text.empty() ? "unknown" : text;
}

std::string facts_text(const Card& card) {
  const MachineFacts& facts = card.facts;
  return fact("CPU", facts.cpu + (facts.virtual_machine ? ", in a virtual machine" : "")) +
         fact("usable", processors_text(facts)) +
         fact("clock", fmt::format("{:.2f} GHz while this was measured", card.clock_hz / 1e9)) +
         fact("caches", fmt::format("L1d {}, L2 {}, L3 {}", bytes_text(facts.l1d),
                                    bytes_text(facts.l2), bytes_text(facts.l3))) +
         fact("SIMD", words_text(facts.simd)) + fact("compiler", facts.compiler) +
         fact("system", facts.system);
}

std::string cycles_text(const Price& price, const Measured& measured) {
  return price.there ? fmt::format("{:.1f}", measured.median) : "none";
}

// A row for each operation: float and double side by side.
std::string prices_text(const std::vector<Price>& prices) {
  Table table({"operation", ">float: result after", ">one every", ">double: result after",
               ">one every", ""});
  for (const Price& price : prices) {
    if (price.precision != "float") continue;
    const auto twin = std::find_if(prices.begin(), prices.end(), [&](const Price& other) {
      return other.precision == "double" && other.operation == price.operation;
    });
    if (twin == prices.end()) continue;
    std::string note = price.note;
    if (twin->note != price.note) note += "; double: " + twin->note;
    table.add_row({price.operation, cycles_text(price, price.latency),
                   cycles_text(price, price.one_every), cycles_text(*twin, twin->latency),
                   cycles_text(*twin, twin->one_every), note});
  }
  table.fit(100);
  return table.text();
}

void add_ceiling(Table& table, const char* name, const Measured& rate, const char* unit,
                 const std::string& note) {
  if (rate.median > 0) {
    table.add_row({name, fmt::format("{:.1f}", rate.median / 1e9), unit,
                   fmt::format("{:.0f} %", 100 * rate.spread), note});
  } else {
    table.add_row({name, "none", "", "", "no such instruction"});
  }
}

std::string ceilings_text(const Card& card) {
  const Ceilings& ceilings = card.ceilings;
  const std::size_t largest = std::max({card.facts.l1d, card.facts.l2, card.facts.l3});
  std::string memory_note = "array of " + bytes_text(ceilings.memory_array);
  if (ceilings.memory_array <= largest) {
    memory_note += ", less than the " + bytes_text(largest) + " of cache: may come from there";
  }
  Table table({"ceiling", ">value", "", ">spread", ""});
  add_ceiling(table, "peak", ceilings.flops_per_second, "Gflop/s",
              "additions and multiplications, as many of each");
  add_ceiling(table, "peak with fma", ceilings.fma_flops_per_second, "Gflop/s",
              "an fma counted as 2");
  add_ceiling(table, "loads from L1", ceilings.l1_bytes_per_second, "GB/s",
              "array of " + bytes_text(ceilings.l1_array));
  add_ceiling(table, "loads from memory", ceilings.memory_bytes_per_second, "GB/s", memory_note);
  table.fit(100);
  return table.text();
}

}  // namespace

std::string card_text(const Card& card) {
  return "This machine\n\n" + facts_text(card) +
         "\nPrices of scalar operations, in cycles of the core\n\n" + prices_text(card.prices) +
         "\n  result after: what waits for the result waits so long (latency).\n"
         "  one every: how often one can start when none waits for another (throughput).\n"
         "\nCeilings of one core, float, without SIMD\n\n" +
         ceilings_text(card) +
         "\n  attainable Gflop/s = the smaller of peak and intensity (flop/byte) x GB/s\n";
}

}  // namespace nbody
