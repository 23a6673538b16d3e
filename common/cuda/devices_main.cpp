#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "bodies/input_error.hpp"
#include "bodies/plain_complaint.hpp"
#include "bodies/text_file.hpp"
#include "cuda/device.cuh"

namespace {

using namespace nbody;

int follow(int argc, char** argv) {
  std::string json;
  bool name_only = false, peak_only = false;
  CLI::App app("The GPUs that part 3 can use: what they have, what follows from it.", "devices");
  app.add_option("--json", json, "write it to this file")->type_name("FILE");
  app.add_flag("--name", name_only, "one line: the one that programs run on, and its software");
  app.add_flag("--peak", peak_only, "one number: its flop/s in float");
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& done) {
    return app.exit(done);
  } catch (const CLI::ParseError& fault) {
    throw InputError(fmt::format("{}; --help lists the options", plain_complaint(fault.what())));
  }
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
  try {
    return follow(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "devices: %s\n", error.what());
    return 2;
  }
}
