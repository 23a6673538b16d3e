#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
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

// What --json of this program wrote where its device is.
std::string stored_text(const std::string& file) {
  try {
    const auto json = nlohmann::json::parse(read_text_file(file));
    return fmt::format("no GPU here to count on; these are the counts of {}, {}\n\n{}",
                       json.at("date").get<std::string>(), json.at("device").get<std::string>(),
                       json.at("text").get<std::string>());
  } catch (const nlohmann::json::exception&) {
    throw InputError(file + ": no counts that this program wrote; bring it back with git checkout");
  }
}

bool device_is_there() {
  try {
    counted_implementation.accelerator->demand();
    return true;
  } catch (const InputError&) {
    return false;
  }
}

// True if there is nothing left to count.
bool shown_from(const std::string& stored) {
  if (counted_implementation.accelerator == nullptr) return false;
  if (stored.empty()) counted_implementation.accelerator->demand();
  if (stored.empty() || device_is_there()) return false;
  fmt::print("{}", stored_text(stored));
  return true;
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
  if (shown_from(stored)) return 0;
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
