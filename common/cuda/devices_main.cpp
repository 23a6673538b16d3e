#include <fmt/format.h>

#include "bodies/text_file.hpp"
#include "command_line/command_line.hpp"
#include "command_line/run_main.hpp"
#include "cuda/device.cuh"

namespace {

using namespace nbody;

int follow(int argc, char** argv) {
  std::string json;
  bool name_only = false, peak_only = false;
  CommandLine line("The GPUs that part 3 can use: what they have, what follows from it.",
                   "devices");
  line.text("--json", "FILE", json, "write it to this file");
  line.flag("--name", name_only, "one line: the one that programs run on, and its software");
  line.flag("--peak", peak_only, "one number: its flop/s in float");
  if (!line.parse(argc, argv)) return 0;
  demand_device();
  if (name_only) {
    fmt::print("{}\n", cuda_accelerator.description());
    return 0;
  }
  const auto all = devices();
  if (peak_only) {
    fmt::print("{:.6g}\n", float_peak(all.front()));
    return 0;
  }
  if (!json.empty()) write_text_file(json, devices_json(all));
  fmt::print("{}", devices_text(all));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return run_main("devices", [&] { return follow(argc, argv); });
}
