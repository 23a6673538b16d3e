#include "machine/rows.hpp"

#include <algorithm>
#include <memory>

#include "machine/crowd.hpp"
#include "machine/facts.hpp"
#include "machine/kernel.hpp"
#include "machine/levels.hpp"
#include "machine/machine.hpp"
#include "machine/streams.hpp"

namespace nbody::machine {
namespace {

using Cpus = std::vector<int>;
constexpr int vectors_of_a_piece = 1000 * in_flight;

std::string name_of(const Arithmetic& kernel) {
  const std::string set = instruction_set.name, operation = kernel.operation;
  if (operation == "mul_add") return set;
  if (operation == "fma") return set + " + FMA";
  if (operation == "sqrt") return "square root, " + set;
  if (operation == "div") return "division, " + set;
  return "estimate of 1/sqrt, " + set;
}

nlohmann::ordered_json row_of(const std::string& kind, const std::string& name, int lanes,
                              const char* operation, const char* precision, const Cpus& cpus) {
  return {{"where", "cpu"},
          {"kind", kind},
          {"name", name},
          {"instruction_set", instruction_set.id},
          {"lanes", lanes},
          {"operation", operation},
          {"level", ""},
          {"precision", precision},
          {"threads", cpus.size()},
          {"array_bytes", 0},
          {"unit", kind == "flops"  ? "flop/s"
                   : kind == "unit" ? "operation/s"
                                    : "byte/s"},
          {"why_not", ""}};
}

PlannedRow planned(const Arithmetic& kernel, bool in_float, const Cpus& cpus,
                   const Budget& budget) {
  const int lanes = in_float ? instruction_set.float_lanes : (instruction_set.float_lanes + 1) / 2;
  const double amount = 1.0 * vectors_of_a_piece * lanes * kernel.flops;
  const Work work = [run = kernel.run, amount] {
    run(vectors_of_a_piece);
    return amount;
  };
  return {row_of(kernel.kind, name_of(kernel), lanes, kernel.operation,
                 in_float ? "float" : "double", cpus),
          [=] {
            return rate_of(
                cpus, [&](std::size_t) { return work; }, budget);
          }};
}

Rate traffic_rate(const Traffic& traffic, std::size_t bytes, const Cpus& cpus,
                  const Budget& budget) {
  std::vector<std::unique_ptr<Streams>> streams;
  for (std::size_t k = 0; k < cpus.size(); ++k) {
    streams.push_back(std::make_unique<Streams>(traffic, bytes));
  }
  return rate_of(
      cpus, [&](std::size_t k) { return streams[k]->work(); }, budget);
}

PlannedRow planned(const Traffic& traffic, const Level& level, const Cpus& cpus,
                   const Budget& budget) {
  const bool longer = *traffic.precision != '\0';
  std::string name = level.name + " " + traffic.operation + ", " + instruction_set.name;
  if (instruction_set.float_lanes == 1) name += longer ? ", 8 bytes" : ", 4 bytes";
  PlannedRow planned{row_of("bandwidth", name, instruction_set.float_lanes, traffic.operation,
                            traffic.precision, cpus),
                     [=, &traffic] { return traffic_rate(traffic, level.bytes, cpus, budget); }};
  planned.row["level"] = level.name;
  planned.row["array_bytes"] = level.bytes * cpus.size();
  planned.row["why_not"] = level.why_not;
  return planned;
}

// A container may be limited to less than its cores.
Cpus cpus_of_all(const MachineFacts& facts) {
  Cpus cpus = one_cpu_of_each_core();
  if (facts.processor_quota > 0) {
    const double most = std::max(1.0, facts.processor_quota);
    cpus.resize(std::min(cpus.size(), static_cast<std::size_t>(most)));
  }
  if (cpus.empty()) cpus.push_back(0);
  return cpus;
}

}  // namespace

std::vector<PlannedRow> planned_rows(bool all_levels, const Budget& budget) {
  std::vector<PlannedRow> rows;
  if (!has_features(instruction_set.needs)) return rows;
  const MachineFacts facts = machine_facts();
  std::vector<Cpus> teams = {{0}};
  if (cpus_of_all(facts).size() > 1) teams.push_back(cpus_of_all(facts));
  for (const Cpus& cpus : teams) {
    for (const bool in_float : {true, false}) {
      for (const Arithmetic& kernel :
           in_float ? instruction_set.in_float : instruction_set.in_double) {
        if (kernel.run == nullptr || !has_features(kernel.needs)) continue;
        rows.push_back(planned(kernel, in_float, cpus, budget));
      }
    }
    for (const Level& level : levels_of(facts, cpus.size(), free_memory())) {
      for (const Traffic& traffic : instruction_set.traffic) {
        if (traffic.run == nullptr) continue;
        // Loads and stores of an instruction set concern L1; the other levels belong to the
        // machine.
        const bool triad = traffic.operation == std::string("triad");
        if (!all_levels && (level.name != "L1" || triad)) continue;
        rows.push_back(planned(traffic, level, cpus, budget));
      }
    }
  }
  return rows;
}

}  // namespace nbody::machine
