#include "bench/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "command_line/command_line.hpp"
#include "core/input_error.hpp"

namespace nbody::bench {
namespace {

constexpr std::size_t largest_n = 1 << 24;
constexpr std::size_t most_threads = 4096;
constexpr std::size_t most_ranks = 65536;
constexpr std::size_t most_blocks = 65535;

// The lists as they are typed.
struct Typed {
  std::string sizes = "5000", threads = "1", precisions = "float", archs, blocks, unrolls, grids,
              ranks, hidden;
  std::uint64_t rounds = 0;  // 0: not given
  double least_s = 0;
  bool quick = false, own_threads = false;
};

template <typename Value>
void require_unique(const std::vector<Value>& values, const std::string& option) {
  for (auto value = values.begin(); value != values.end(); ++value) {
    if (std::find(values.begin(), value, *value) == value) continue;
    throw InputError(fmt::format("{} names {} twice", option, *value));
  }
}

std::size_t number_in(const std::string& word, const std::string& option, std::size_t most,
                      const std::string& what) {
  // Nine digits cannot overflow, and are enough.
  const bool digits = !word.empty() && word.size() <= 9 &&
                      word.find_first_not_of("0123456789") == std::string::npos;
  const std::size_t number = digits ? std::stoul(word) : 0;
  if (number >= 1 && number <= most) return number;
  throw InputError(fmt::format("{} needs {}; not {}", option, what, in_quotes(word)));
}

// "1,2,4" as typed after `option`; `what` describes them in the message.
std::vector<unsigned> numbers_of(const std::string& text, const std::string& option,
                                 std::size_t most, const std::string& what) {
  const std::string wanted = fmt::format("{} from 1 to {}, for example 1,2,4", what, most);
  std::vector<unsigned> numbers;
  for (const auto& word : command_line::words_between_commas(text)) {
    numbers.push_back(static_cast<unsigned>(number_in(word, option, most, wanted)));
  }
  require_unique(numbers, option);
  return numbers;
}

std::vector<std::size_t> sizes_of(const std::string& text) {
  const std::string what = fmt::format(
      "numbers of bodies from 1 to {}, separated by commas, for example 500,1000", largest_n);
  std::vector<std::size_t> sizes;
  for (const auto& word : command_line::words_between_commas(text))
    sizes.push_back(number_in(word, "-n", largest_n, what));
  require_unique(sizes, "-n");
  return sizes;
}

std::vector<std::string> precisions_of(const std::string& text) {
  const auto precisions = command_line::words_between_commas(text);
  for (const auto& name : precisions) {
    if (name != "float" && name != "double") {
      throw InputError(
          fmt::format("--precision needs float, double or float,double; not {}", in_quotes(name)));
    }
  }
  require_unique(precisions, "--precision");
  return precisions;
}

// How programs are launched; an option that is not given leaves it to each program.
void read_launches(const Typed& typed, BenchPlan& plan) {
  if (!typed.blocks.empty()) {
    plan.blocks = numbers_of(typed.blocks, "--block", most_threads, "threads per block");
  }
  if (!typed.unrolls.empty()) {
    plan.unrolls = numbers_of(typed.unrolls, "--unroll", most_threads, "unroll factors");
  }
  if (!typed.grids.empty()) {
    plan.grids = numbers_of(typed.grids, "--grid", most_blocks, "numbers of blocks");
  }
  if (!typed.ranks.empty()) {
    plan.ranks = numbers_of(typed.ranks, "--ranks", most_ranks, "numbers of processes");
  }
}

void read_typed(const Typed& typed, BenchPlan& plan) {
  plan.sizes = sizes_of(typed.sizes);
  plan.threads = numbers_of(typed.threads, "--threads", most_threads, "numbers of threads");
  if (typed.own_threads) plan.threads = {0};
  read_launches(typed, plan);
  plan.precisions = precisions_of(typed.precisions);
  if (!typed.archs.empty()) plan.archs = command_line::words_between_commas(typed.archs);
  require_unique(plan.archs, "--arch");
  if (!typed.hidden.empty()) plan.hidden_counts = command_line::words_between_commas(typed.hidden);
  if (typed.quick) plan.rounds = 3, plan.seconds = 0.01, plan.starts = 3, plan.longest_s = 20;
  if (typed.least_s > 0) plan.seconds = typed.least_s;
  if (typed.rounds > 0) plan.rounds = static_cast<int>(typed.rounds);
  try {
    const std::regex valid(plan.filter);
  } catch (const std::regex_error&) {
    throw InputError(
        fmt::format("--filter needs a regular expression, for example 'naive|mine'; "
                    "not {}",
                    in_quotes(plan.filter)));
  }
  if (plan.part.empty()) {
    throw InputError(
        "a part is required, for example: ./lab bench part1; --help lists the options");
  }
  if (plan.json.empty()) {
    throw InputError("--json FILE is required: the tables are ./lab bench's, made of that file");
  }
}

void add_options(command_line::CommandLine& line, BenchPlan& plan, Typed& typed) {
  line.text("part", "", plan.part, "part1, ...");
  line.words("name", "", plan.names, "implementations of the part (default: all)");
  // The last one wins: they come after those of a study.
  line.text("-n", "N", typed.sizes, "bodies, one number or several: 500,1000,2000 (default 5000)")
      .last_wins();
  line.text("--threads", "T", typed.threads, "one number or several: 1,2,4 (default 1)")
      .last_wins();
  line.text("--precision", "P", typed.precisions, "float (default), double, or float,double");
  line.text("--arch", "NAMES", typed.archs,
            "instruction sets, for example sse2,avx2 (default: best)");
  line.text("--block", "K", typed.blocks, "threads per block, one number or several (part 3)")
      .last_wins();
  line.text("--unroll", "K", typed.unrolls, "unroll factor (parts 2 and 3)").last_wins();
  line.text("--grid", "B", typed.grids, "blocks of a grid-stride loop (part 3)").last_wins();
  line.text("--ranks", "P", typed.ranks, "processes, one number or several (part 4)").last_wins();
  line.text("--filter", "REGEX", plan.filter, "only names that this regular expression matches");
  line.text("--scene", "NAME", plan.scene, "what is simulated (default plummer)");
  line.flag("--vdt", plan.adaptive, "adaptive time step (Eq. 7)");
  line.number("--rounds", "K", typed.rounds, "repeats (default 7)", 1, 1000).last_wins();
  line.flag("--quick", typed.quick, "3 rounds of short runs: a first look");
  line.number("--wait", "S", plan.wait_s, "wait for free cores, in all at most S seconds", 0,
              86400);
  line.text("--json", "FILE", plan.json, "write everything to this file, as Google Benchmark does");
  line.group("");  // what ./lab passes on
  line.flag("--progress", plan.progress, "say on standard error which round is measured");
  line.number("--seed", "K", plan.seed, "repeat the measurement that had this seed");
  line.number("--timeout", "S", plan.timeout_s,
              "time limit per answer, s (default 60, longer for many bodies)", 0.01, 1e6);
  line.flag("--own-threads", typed.own_threads, "as many threads as each program wants");
  line.number("--least", "S", typed.least_s, "least time of a timed request", 1e-4, 100);
  line.text("--manifest", "FILE", plan.manifest, "written by cmake (build/<preset>/manifest.json)");
  line.text("--device", "TEXT", plan.device, "the device that the programs run on, if not the CPU");
  line.number("--device-peak", "X", plan.device_peak, "its flop/s in float");
  line.text("--revision", "TEXT", plan.revision, "revision of the sources, for the file");
  line.text("--hide-counts", "NAMES", typed.hidden, "implementations whose counts are hidden");
}

}  // namespace

std::optional<BenchPlan> parse_bench_plan(int argc, char** argv) {
  BenchPlan plan;
  Typed typed;
  command_line::CommandLine line(
      "How fast is it? Times simulator programs in turn, in random order.", "./lab bench");
  add_options(line, plan, typed);
  if (!line.parse(argc, argv)) return std::nullopt;
  read_typed(typed, plan);
  return plan;
}

}  // namespace nbody::bench
