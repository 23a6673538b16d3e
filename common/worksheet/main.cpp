#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>

#include "bodies/input_error.hpp"
#include "bodies/plain_complaint.hpp"
#include "bodies/text_file.hpp"
#include "worksheet/notebook_rows.hpp"
#include "worksheet/report.hpp"

// ./lab worksheet: judges the answers that were compiled in. Status 0: nothing is wrong (but
// perhaps unanswered); 1: something is wrong, or counts are not to be shown yet; 2: bad input.

namespace {

using namespace nbody;

struct WorksheetOptions {
  std::filesystem::path counts;
  std::filesystem::path notebook;
  std::string may_show;
  std::string json;
  bool which = false;
  bool by_how_much = false;
};

int judge(const WorksheetOptions& options) {
  WorksheetTruth truth;
  truth.counts_of = [&](const std::string& name) {
    return TrueCounts::read(options.counts / (name + "_count.json"));
  };
  truth.time_step_counts_of = [&](const std::string& name) {
    return TrueCounts::read(options.counts / (name + "_count.json"), "largest_time_step");
  };
  truth.notebook_rows = count_notebook_rows(options.notebook);
  if (options.which) truth.disclosure = Disclosure::which;
  if (options.by_how_much) truth.disclosure = Disclosure::by_how_much;
  const Sheet sheet = judged_sheet(truth);
  if (!options.may_show.empty()) {
    const std::string reason = reason_to_hide_counts(options.may_show, sheet, truth);
    if (!reason.empty()) fmt::print(stderr, "lab: {}\n", reason);
    return reason.empty() ? 0 : 1;
  }
  fmt::print("{}", worksheet_text(sheet, truth.disclosure));
  if (!options.json.empty()) write_text_file(options.json, worksheet_json(sheet));
  return any_wrong(sheet.lines) ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  WorksheetOptions options;
  CLI::App app("How far is the worksheet of a part? Counts are judged by running the code.",
               "worksheet");
  app.add_option("--counts", options.counts, "folder with the files of the count programs")
      ->required();
  app.add_option("--notebook", options.notebook, "whose rows are counted");
  app.add_flag("--which", options.which, "tell which class of a wrong count is wrong");
  app.add_flag("--by-how-much", options.by_how_much, "tell by how much as well");
  app.add_option("--json", options.json, "write the lines to this file");
  app.add_option("--may-show", options.may_show,
                 "only say whether the counts of this implementation may be shown");
  try {
    app.parse(argc, argv);
    return judge(options);
  } catch (const CLI::Success& done) {
    return app.exit(done);
  } catch (const CLI::ParseError& fault) {
    fmt::print(stderr, "worksheet: {}; --help lists the options\n",
               nbody::plain_complaint(fault.what()));
  } catch (const std::exception& error) {
    fmt::print(stderr, "worksheet: {}\n", error.what());
  }
  return 2;
}
