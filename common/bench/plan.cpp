#include "bench/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <CLI/CLI.hpp>

#include "bodies/input_error.hpp"
#include "bodies/plain_complaint.hpp"
#include "bodies/words.hpp"

namespace nbody {
namespace {

constexpr std::size_t largest_n = 1 << 24;

std::size_t size_of(const std::string& word) {
  // Nine digits cannot overflow, and are more than enough.
  const bool digits = !word.empty() && word.size() <= 9 &&
                      word.find_first_not_of("0123456789") == std::string::npos;
  const std::size_t n = digits ? std::stoul(word) : 0;
  if (n >= 1 && n <= largest_n) return n;
  throw InputError(fmt::format(
      "-n wants numbers of bodies from 1 to {}, separated by commas, for example 500,1000; not {}",
      largest_n, in_quotes(word)));
}

Precision precision_named(const std::string& name) {
  if (name == "float") return Precision::single_precision;
  if (name == "double") return Precision::double_precision;
  throw InputError(fmt::format("--precision wants float or double, not {}", in_quotes(name)));
}

}  // namespace

std::vector<std::size_t> sizes_of(const std::string& text) {
  std::vector<std::size_t> sizes;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::size_t n = size_of(text.substr(begin, end - begin));
    if (std::find(sizes.begin(), sizes.end(), n) != sizes.end()) {
      throw InputError(fmt::format("-n names {} bodies twice", n));
    }
    sizes.push_back(n);
    begin = end + 1;
  }
  return sizes;
}

std::optional<BenchPlan> parse_bench_plan(int argc, char** argv) {
  BenchPlan plan;
  std::string sizes = "5000";
  CLI::App app("How fast is it? Times simulator programs in turn, round by round.", "bench");
  app.add_option("part", plan.part, "part1, ...")->required();
  app.add_option("name", plan.names, "implementations of the part (default: all)");
  app.add_option("--manifest", plan.manifest, "written by cmake (build/<preset>/manifest.json)");
  app.add_option("-n", sizes, "bodies, one number or several: 500,1000,2000 (default 5000)");
  app.add_option("--scene", plan.scene, "what is simulated (default plummer)");
  app.add_option("--threads", plan.threads, "default 1")->check(CLI::Range(1, 4096));
  app.add_option("--rounds", plan.rounds, "repeats (default 7)")->check(CLI::Range(1, 1000));
  app.add_option("--precision", plan.precision_name, "float (default) or double");
  app.add_flag("--vdt", plan.adaptive, "adaptive time step (Eq. 7)");
  app.add_option("--json", plan.json, "write the numbers to this file");
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& done) {
    app.exit(done);
    return std::nullopt;
  } catch (const CLI::ParseError& fault) {
    throw InputError(fmt::format("{}; --help lists the options", plain_complaint(fault.what())));
  }
  plan.sizes = sizes_of(sizes);
  plan.precision = precision_named(plan.precision_name);
  return plan;
}

}  // namespace nbody
