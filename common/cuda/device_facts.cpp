#include "cuda/device_facts.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "command_line/table.hpp"
#include "cuda/geometry.hpp"
#include "machine/machine.hpp"

namespace nbody {
namespace {

// NVIDIA's programming guide, table of arithmetic throughput: results per cycle and multiprocessor.
struct Units {
  unsigned capability, of_float, of_double;
};
constexpr Units known_units[] = {{60, 64, 32},   {61, 128, 4}, {70, 64, 32}, {75, 64, 2},
                                 {80, 64, 32},   {86, 128, 2}, {89, 128, 2}, {90, 128, 64},
                                 {100, 128, 64}, {120, 128, 2}};

const Units* units_of(unsigned major, unsigned minor) {
  for (const Units& units : known_units) {
    if (units.capability == major * 10 + minor) return &units;
  }
  return nullptr;
}

double peak(const DeviceFacts& facts, unsigned units) {
  return 2.0 * units * facts.multiprocessors * facts.clock_hz;
}

std::string flops_text(double flops) {
  return flops > 0 ? fmt::format("{:.2f} Tflop/s", flops / 1e12) : "not known for this GPU";
}

std::string mebibytes(std::size_t bytes) { return fmt::format("{} MiB", bytes >> 20); }

std::string facts_text(const DeviceFacts& d) {
  const unsigned of_float = float_units(d.major, d.minor);
  const unsigned of_double = double_units(d.major, d.minor);
  std::string text = fmt::format("{}, compute capability {}.{}\n", d.name, d.major, d.minor);
  text += fmt::format(
      "  multiprocessors  {} (SM), {} units for float and {} for double in each: {} and {} in "
      "all\n",
      d.multiprocessors, of_float, of_double, d.multiprocessors * of_float,
      d.multiprocessors * of_double);
  text += fmt::format("  clock            {:.0f} MHz at most\n", d.clock_hz / 1e6);
  text += fmt::format("  memory           {}, {} free; {:.0f} MHz, {} bits wide\n",
                      mebibytes(d.memory_bytes), mebibytes(d.free_bytes), d.memory_clock_hz / 1e6,
                      d.memory_bus_bits);
  text += fmt::format("  L2 cache         {}\n", mebibytes(d.l2_bytes));
  text +=
      fmt::format("  each SM          {} threads, {} blocks, {} registers, {} KiB shared memory\n",
                  d.threads_most, d.blocks_most, d.registers, d.shared_bytes >> 10);
  text += fmt::format(
      "  a block          {} threads at most ({} x {} x {}), {} registers, {} KiB shared memory\n",
      d.block.threads, d.block.size[0], d.block.size[1], d.block.size[2], d.block.registers,
      d.block.shared_bytes >> 10);
  text += fmt::format("  a grid           {} x {} x {} blocks at most\n", d.grid[0], d.grid[1],
                      d.grid[2]);
  text += fmt::format("  constant memory  {} KiB\n", d.constant_bytes >> 10);
  text += fmt::format("  driver           {}; built with CUDA {}\n", d.driver, d.runtime);
  text += "  by its clock (units x 2 flops; memory: 2 transfers per cycle), not measured:\n";
  text += fmt::format("    float peak     {}\n", flops_text(float_peak(d)));
  text += fmt::format("    double peak    {}\n", flops_text(double_peak(d)));
  text += fmt::format("    memory peak    {:.0f} GB/s\n", memory_peak(d) / 1e9);
  return text;
}

std::size_t smallest_n_for_full(const DeviceFacts& d, unsigned block) {
  return std::size_t{resident_blocks(block, d.threads_most, d.blocks_most)} * block *
         d.multiprocessors;
}

std::string filling_text(const DeviceFacts& d) {
  command_line::Table table(
      {">block", ">a block on each SM", ">blocks at once on an SM", ">the whole GPU full"});
  for (const unsigned block : shown_blocks) {
    table.add_row({std::to_string(block),
                   std::to_string(smallest_n_for_all(d.multiprocessors, block)),
                   std::to_string(resident_blocks(block, d.threads_most, d.blocks_most)),
                   std::to_string(smallest_n_for_full(d, block))});
  }
  return "\n  smallest number of bodies, one thread each, for\n" + table.text() +
         "  full where neither registers nor shared memory are the limit\n";
}

// Rows of the first GPU.
nlohmann::ordered_json ceilings_json(const std::vector<CeilingRow>& rows,
                                     const DeviceFacts& device) {
  auto all = nlohmann::ordered_json::array();
  for (const CeilingRow& row : rows) {
    all.push_back({{"where", "gpu 0"},
                   {"device", device.name},
                   {"kind", row.kind},
                   {"name", row.name},
                   {"instruction_set", ""},
                   {"lanes", 0},
                   {"operation", row.operation},
                   {"level", row.level},
                   {"precision", row.precision},
                   {"threads", 0},
                   {"array_bytes", row.array_bytes},
                   {"unit", row.unit},
                   {"best", row.best},
                   {"median", row.median},
                   {"spread", row.spread},
                   {"is_ceiling", row.is_ceiling},
                   {"why_not", row.why_not}});
  }
  return all;
}

}  // namespace

unsigned float_units(unsigned major, unsigned minor) {
  const Units* units = units_of(major, minor);
  return units ? units->of_float : 0;
}
unsigned double_units(unsigned major, unsigned minor) {
  const Units* units = units_of(major, minor);
  return units ? units->of_double : 0;
}
double float_peak(const DeviceFacts& d) { return peak(d, float_units(d.major, d.minor)); }
double double_peak(const DeviceFacts& d) { return peak(d, double_units(d.major, d.minor)); }
double memory_peak(const DeviceFacts& d) { return 2 * d.memory_clock_hz * d.memory_bus_bits / 8; }

std::string devices_text(const std::vector<DeviceFacts>& devices) {
  std::string text;
  for (std::size_t k = 0; k < devices.size(); ++k) {
    text += fmt::format("{}GPU {}: {}{}", k == 0 ? "" : "\n", k, facts_text(devices[k]),
                        filling_text(devices[k]));
  }
  return text;
}

std::string devices_json(const std::vector<DeviceFacts>& devices,
                         const std::vector<CeilingRow>& ceilings) {
  nlohmann::ordered_json json = {{"date", machine::date_today()}};
  for (const DeviceFacts& d : devices) {
    nlohmann::ordered_json device = {{"name", d.name},
                                     {"compute_capability", fmt::format("{}.{}", d.major, d.minor)},
                                     {"multiprocessors", d.multiprocessors},
                                     {"clock_hz", d.clock_hz},
                                     {"memory_clock_hz", d.memory_clock_hz},
                                     {"memory_bus_bits", d.memory_bus_bits},
                                     {"memory_bytes", d.memory_bytes},
                                     {"l2_bytes", d.l2_bytes},
                                     {"shared_bytes_per_multiprocessor", d.shared_bytes},
                                     {"registers_per_multiprocessor", d.registers},
                                     {"threads_per_multiprocessor", d.threads_most},
                                     {"blocks_per_multiprocessor", d.blocks_most},
                                     {"threads_per_block", d.block.threads},
                                     {"registers_per_block", d.block.registers},
                                     {"shared_bytes_per_block", d.block.shared_bytes},
                                     {"largest_block", d.block.size},
                                     {"largest_grid", d.grid},
                                     {"constant_bytes", d.constant_bytes},
                                     {"driver", d.driver},
                                     {"cuda_runtime", d.runtime},
                                     {"float_peak_flops", float_peak(d)},
                                     {"double_peak_flops", double_peak(d)},
                                     {"memory_peak_bytes_per_s", memory_peak(d)}};
    for (const unsigned block : shown_blocks) {
      device["smallest_n"].push_back(
          {{"block", block},
           {"a_block_each", smallest_n_for_all(d.multiprocessors, block)},
           {"full", smallest_n_for_full(d, block)}});
    }
    json["devices"].push_back(device);
  }
  if (!ceilings.empty()) json["ceilings"] = ceilings_json(ceilings, devices.front());
  return json.dump(2) + "\n";
}

std::string cuda_version(int number) {
  return fmt::format("{}.{}", number / 1000, number % 1000 / 10);
}

}  // namespace nbody
