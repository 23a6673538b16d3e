#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "bodies/input_error.hpp"
#include "bodies/text_file.hpp"
#include "command_line/command_line.hpp"
#include "command_line/run_main.hpp"
#include "worksheet/notebook_rows.hpp"
#include "worksheet/report.hpp"
#include "worksheet/student_program.hpp"

// ./lab worksheet: judges the answers that the program with the student's worksheet.hpp writes.
// Status 0: nothing is wrong (but perhaps unanswered); 1: something is wrong, or counts are not to
// be shown yet; 2: bad input.

namespace {

using namespace nbody;

struct WorksheetOptions {
  std::filesystem::path answers;
  std::filesystem::path counts;
  std::string notebook = "[]";
  std::string may_show;
  std::string question;
  std::string json;
  std::vector<std::string> seal;     // --seal ANSWER LETTER
  std::vector<std::string> program;  // --write-program HEADER FILE
  double seconds = 5;
  bool which = false;
  bool by_how_much = false;
};

// Beside this program.
std::filesystem::path program_with_answers() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "worksheet_answers";
}

Given ask(const WorksheetOptions& options) {
  Given given;
  std::string printed;
  const std::chrono::duration<double, std::milli> limit(1000 * options.seconds);
  given.answers =
      ask_student_program(options.answers.empty() ? program_with_answers() : options.answers,
                          std::chrono::duration_cast<std::chrono::milliseconds>(limit), printed);
  fmt::print(stderr, "{}", printed);
  given.counts_of = [counts = options.counts](const std::string& name,
                                              const std::string& function) {
    return TrueCounts::read(counts / (name + "_count.json"), function);
  };
  given.notebook = notebook_rows_of(options.notebook);
  return given;
}

int judge(const WorksheetOptions& options) {
  if (options.counts.empty()) throw InputError("--counts is required");
  const PartQuestions part = questions_of_part();
  const Given given = ask(options);
  if (!options.may_show.empty()) {
    const std::string reason = reason_to_hide_counts(options.may_show, part, given);
    if (!reason.empty()) fmt::print(stderr, "lab: {}\n", reason);
    return reason.empty() ? 0 : 1;
  }
  Disclosure disclosure = Disclosure::total;
  if (options.which) disclosure = Disclosure::which;
  if (options.by_how_much) disclosure = Disclosure::by_how_much;
  const Sheet sheet = judged_sheet(part, given, disclosure);
  if (!options.json.empty()) write_text_file(options.json, worksheet_json(sheet));
  if (!options.question.empty()) {
    const Lines lines = lines_of_question(sheet, options.question);
    fmt::print("{}", question_text(lines, disclosure));
    return any_wrong(lines) ? 1 : 0;
  }
  fmt::print("{}", worksheet_text(sheet, disclosure));
  return any_wrong(sheet.lines) ? 1 : 0;
}

int run(const WorksheetOptions& options) {
  if (!options.seal.empty()) {
    fmt::print("0x{:08x}\n", seal_of(options.seal[0], options.seal[1][0]));
    return 0;
  }
  if (options.program.empty()) return judge(options);
  write_text_file(options.program[1],
                  source_of_student_program(questions_of_part(), options.program[0]));
  return 0;
}

int parse_and_run(int argc, char** argv) {
  WorksheetOptions options;
  CommandLine line("How far is your worksheet.hpp? Counts are judged by running the code.",
                   "./lab worksheet");
  line.flag("--which", options.which, "tell which class of a wrong count is wrong");
  line.flag("--by-how-much", options.by_how_much, "tell by how much as well");
  line.text("--json", "FILE", options.json, "write the lines to this file");
  line.group("");  // what ./lab and those who write questions say
  line.text("--question", "N", options.question, "one question alone");
  line.text("--counts", "FOLDER", options.counts, "folder with the files of the count programs");
  line.text("--notebook", "JSON", options.notebook, "its right rows, as an array");
  line.text("--may-show", "NAME", options.may_show,
            "only say whether the counts of this implementation may be shown");
  line.words("--seal", "ANSWER LETTER", options.seal, "print the seal of a choice", 2);
  line.text("--answers", "FILE", options.answers, "the program with the answers");
  line.number("--seconds", "S", options.seconds, "how long that may take");
  line.words("--write-program", "HEADER FILE", options.program, "write its source", 2);
  return line.parse(argc, argv) ? run(options) : 0;
}

}  // namespace

int main(int argc, char** argv) {
  // The caller's lock, for one, is not for the student's code.
  ::closefrom(STDERR_FILENO + 1);
  return run_main("worksheet", [&] { return parse_and_run(argc, argv); });
}
