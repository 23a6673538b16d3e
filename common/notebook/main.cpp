#include "bodies/input_error.hpp"
#include "command_line/command_line.hpp"
#include "command_line/run_main.hpp"
#include "notebook/commands.hpp"
#include "protocol/process_tree.hpp"

// ./lab try: what a student writes into the notebook with the lab's help.

namespace {

using namespace nbody;

int parse_and_try(int argc, char** argv) {
  TryOptions trial;
  CommandLine line("Check and measure an idea; adds a row to the notebook.", "./lab try");
  line.text("part", "", trial.part, "part1, ...").required();
  line.text("name", "", trial.name, "the implementation, for example mine");
  std::vector<std::string> idea;
  line.words("idea", "", idea, "one sentence in quotes");
  line.text("--expect", "FACTOR", trial.expect,
            "your prediction: how many times as fast as the row it is compared with");
  line.text("--against", "ROW", trial.against,
            "row to compare with: its number, a name, or naive (default: the last right row of "
            "the same name, else the last right row)");
  line.number("--threads", "T", trial.threads, "default: the program's own, which is all")
      .between(1, 4096);
  line.flag("--vdt", trial.adaptive,
            "adaptive step: forces and nearest neighbours (part 1: always)");
  line.number("-n,--n", "N", trial.n, "bodies to measure with (default: 2000, on a GPU 16384)")
      .between(16, 1'000'000);
  line.group("");
  line.text("--device", "TEXT", trial.device, "the GPU, in words");
  line.text("--manifest", "FILE", trial.manifest, "written by cmake");
  line.text("--folder", "FOLDER", trial.folder, "of the part: where NOTEBOOK.md is").required();
  line.text("--source", "FILE", trial.source, "the header, of which a copy is kept").required();
  if (!line.parse(argc, argv)) return 0;
  if (idea.size() > 1) {
    throw InputError("'" + idea[1] +
                     "' is too much: an idea goes in quotes and starts with a word");
  }
  if (!idea.empty()) trial.idea = idea.front();
  return try_idea(trial);
}

}  // namespace

int main(int argc, char** argv) {
  nbody::keep_memory_private();
  const std::string command = argc > 1 ? argv[1] : "";
  return run_main("try", [&] {
    if (command != "try") throw InputError("a command is required: try");
    return parse_and_try(argc - 1, argv + 1);
  });
}
