#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "bodies/input_error.hpp"
#include "bodies/words.hpp"
#include "notebook/commands.hpp"

// ./lab try and ./lab hint: what a student writes into the notebook with the lab's help.

namespace {

using namespace nbody;

int parse_and_run(int argc, char** argv) {
  TryOptions trial;
  HintOptions hint;
  CLI::App app("The notebook: ideas, predictions, measurements, and hints.", "notebook");
  app.require_subcommand(1);
  CLI::App* attempt = app.add_subcommand("try", "check and measure an idea; adds a row");
  attempt->add_option("part", trial.part, "part1, ...")->required();
  attempt->add_option("name", trial.name, "the implementation, for example mine");
  attempt->add_option("idea", trial.idea, "one sentence in quotes");
  attempt->add_option("--expect", trial.expect,
                      "your prediction: how many times as fast as the row it is compared with");
  attempt->add_option("--against", trial.against,
                      "row to compare with: its number, a name, or naive (default: the last right "
                      "row of the same name, else the last right row)");
  attempt->add_option("--threads", trial.threads, "default: the program's own, which is all")
      ->check(CLI::Range(1, 4096));
  attempt->add_flag("--vdt", trial.adaptive,
                    "adaptive step: forces and nearest neighbours (part 1: always)");
  attempt->add_option("-n,--n", trial.n, "bodies to measure with (default: 2000, on a GPU 16384)")
      ->check(CLI::Range(16, 1'000'000))
      ->type_name("N");
  attempt->add_option("--device", trial.device, "the GPU, in words")->group("");
  attempt->add_option("--manifest", trial.manifest, "written by cmake")->group("");
  attempt->add_option("--folder", trial.folder, "of the part: where NOTEBOOK.md is")
      ->required()
      ->group("");
  attempt->add_option("--source", trial.source, "the header, of which a copy is kept")
      ->required()
      ->group("");
  CLI::App* help = app.add_subcommand("hint", "open the next hint to a task");
  help->add_option("part", hint.part, "part1, ...")->required();
  help->add_option("task", hint.task, "number of the task: 3, 8a");
  help->add_option("--folder", hint.folder, "of the part: where NOTEBOOK.md is")
      ->required()
      ->group("");
  help->add_option("--hints", hint.hints, "the file with the hints")->required()->group("");
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& done) {
    return app.exit(done);
  } catch (const CLI::ExtrasError& fault) {
    throw InputError(
        fmt::format("{}; an idea goes in quotes and starts with a word", fault.what()));
  } catch (const CLI::ParseError& fault) {
    throw InputError(fault.what());
  }
  return app.got_subcommand(attempt) ? try_idea(trial) : open_hint(hint);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string command = argc > 1 && std::string(argv[1]) == "hint" ? "hint" : "try";
  try {
    const int status = parse_and_run(argc, argv);
    if (std::fflush(stdout) != 0) throw InputError("standard output cannot be written: disk full?");
    return status;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", command, printable(error.what()));
  }
  return 2;
}
