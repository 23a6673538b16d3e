#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <new>
#include <nlohmann/json.hpp>

#include "bodies/input_error.hpp"
#include "bodies/plain_complaint.hpp"
#include "bodies/text_file.hpp"
#include "simulator/threads.hpp"
#include "work/arena.hpp"
#include "work/count_report.hpp"

namespace {

using namespace nbody;

// What was counted elsewhere, by --json of this program: the file holds a list of such answers.
std::string stored_text(const std::string& file) {
  try {
    for (const auto& one : nlohmann::json::parse(read_text_file(file)).at("counts")) {
      if (one.at("name") == counted_implementation.name) return one.at("text");
    }
  } catch (const nlohmann::json::exception&) {
    throw InputError(file + ": not a file of counts; bring it back with git checkout " + file);
  }
  throw InputError(fmt::format("counting {} needs its device, and {} does not have it",
                               counted_implementation.name, file));
}

bool device_is_there() {
  try {
    if (counted_implementation.demand_device != nullptr) counted_implementation.demand_device();
    return true;
  } catch (const InputError&) {
    return false;
  }
}

int follow(int argc, char** argv) {
  std::size_t n = 1000;
  std::string json, stored;
  CLI::App app(fmt::format("Counts the flops, loads and stores of {}/{}, by running it on a number "
                           "that counts.",
                           counted_implementation.part, counted_implementation.name),
               fmt::format("{}_count", counted_implementation.name));
  app.add_option("-n,--n", n, "number of bodies for the second table (default 1000)")
      ->check(CLI::Range(2, 1'000'000))
      ->type_name("N");
  app.add_option("--json", json, "write all counts to this file")->type_name("FILE");
  app.add_option("--stored", stored, "where its device is missing: show the counts of this file")
      ->type_name("FILE");
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& done) {
    return app.exit(done);
  } catch (const CLI::ParseError& fault) {
    throw InputError(fmt::format("{}; --help lists the options", plain_complaint(fault.what())));
  }
  if (!stored.empty() && !device_is_there()) {
    fmt::print("no GPU here to count on; what {} has, counted elsewhere:\n\n{}",
               std::filesystem::path(stored).filename().string(), stored_text(stored));
    return 0;
  }
  if (counted_implementation.demand_device != nullptr) counted_implementation.demand_device();
  open_arena();
  use_threads(1);
  const WorkCount count = count_work(counted_implementation, n);
  if (!json.empty()) write_text_file(json, count_json(counted_implementation, count));
  fmt::print("{}", count_text(counted_implementation, count));
  return 0;
}

}  // namespace

// The main function of every count program. Status 1: the code cannot be counted; 2: bad input.
int main(int argc, char** argv) {
  const auto complain = [](const char* what, int status) {
    std::fprintf(stderr, "%s_count: %s\n", counted_implementation.name, what);
    return status;
  };
  try {
    return follow(argc, argv);
  } catch (const CannotCount& refusal) {
    return complain(refusal.what(), 1);
  } catch (const std::bad_alloc&) {
    return complain("not enough memory to count in", 2);
  } catch (const std::exception& error) {
    return complain(error.what(), 2);
  }
}
