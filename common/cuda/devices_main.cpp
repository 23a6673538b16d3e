#include <fmt/format.h>

#include <cstdio>

#include "command_line/command_line.hpp"
#include "command_line/run_main.hpp"
#include "core/text_file.hpp"
#include "cuda/device.cuh"
#include "cuda/gpu_ceilings.cuh"

namespace {

using namespace nbody;

int show(const std::string& json, bool measure) {
  if (!json.empty()) demand_writable(json);
  const auto all = devices();
  const auto ceilings =
      measure ? measure_gpu_ceilings(all.front(), Effort{}) : std::vector<CeilingRow>{};
  if (!json.empty()) write_text_file(json, devices_json(all, ceilings));
  fmt::print("{}", devices_text(all));
  if (measure) fmt::print("{}", ceilings_text(ceilings, all.front()));
  return 0;
}

int follow(int argc, char** argv) {
  std::string json;
  bool name_only = false, peak_only = false, measure = false;
  command_line::CommandLine line(
      "The GPUs that part 3 can use: what they have, what follows from it.", "devices");
  line.text("--json", "FILE", json, "write it to this file");
  line.flag("--measure", measure, "also measure how fast GPU 0 can be: a dozen seconds");
  line.flag("--name", name_only, "one line: the one that programs run on, and its software");
  line.flag("--peak", peak_only, "one number: its flop/s in float");
  if (!line.parse(argc, argv)) return 0;
  demand_device();
  if (name_only) {
    fmt::print("{}\n", cuda_accelerator.description());
    return 0;
  }
  if (peak_only) {
    fmt::print("{:.6g}\n", float_peak(devices().front()));
    return 0;
  }
  return show(json, measure);
}

}  // namespace

int main(int argc, char** argv) {
  return command_line::run_main("devices", [&] { return follow(argc, argv); });
}
