#include "worksheet/sheet.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "worksheet/judge.hpp"

namespace nbody {
namespace {

bool counted_right(const PartQuestions& part, const Given& given) {
  const auto& asking = part.asks_for_counts;
  for (const Line& line : judged_sheet(part, given).lines) {
    const bool asks = std::find(asking.begin(), asking.end(), line.number) != asking.end();
    if (asks && line.state != State::right) return false;
  }
  return true;
}

// "questions 3 and 4 of worksheet.hpp are right"
std::string once_right(const std::vector<std::string>& numbers) {
  return fmt::format("question{} {} of worksheet.hpp {} right", numbers.size() == 1 ? "" : "s",
                     fmt::join(numbers, " and "), numbers.size() == 1 ? "is" : "are");
}

}  // namespace

Sheet judged_sheet(const PartQuestions& part, const Given& given, Disclosure disclosure) {
  Sheet sheet = {part.part, given.text("authors"), "", {}};
  for (const Question& question : part.questions) {
    const Lines lines = judge(question, given, disclosure);
    sheet.lines.insert(sheet.lines.end(), lines.begin(), lines.end());
  }
  if (!sheet.authors.empty()) sheet.paper_machine = part.paper_machine(sheet.authors);
  return sheet;
}

std::string reason_to_hide_counts(const std::string& name, const PartQuestions& part,
                                  const Given& given) {
  if (counted_right(part, given)) return "";
  for (const std::string& function : part.counted_functions) {
    const bool same_work = given.counts_of(name, function) == given.counts_of("naive", function);
    if (name != "naive" && !same_work) continue;
    return fmt::format("{}count by hand first: the numbers are shown once {} (./lab worksheet {})",
                       name == "naive" ? "" : name + " still does the work of naive; ",
                       once_right(part.asks_for_counts), part.part);
  }
  return "";
}

std::string source_of_student_program(const PartQuestions& part, const std::string& header) {
  // A member that was removed does not stop the others: the judge says that it is missing.
  std::string adding;
  for (const std::string& name : answer_names(part)) {
    adding += fmt::format(
        "  if constexpr (requires {{ sheet.{0}; }}) answers.add(\"{0}\", sheet.{0});\n", name);
  }
  return fmt::format(
      "// Made from the questions of {0}: writes the answers of {1}.\n"
      "#include \"{1}\"\n#include \"worksheet/write_answers.hpp\"\n\n"
      "namespace nbody {{\n\n"
      "template <typename Sheet>\nAnswers answers_of(const Sheet& sheet) {{\n"
      "  Answers answers;\n{2}  return answers;\n}}\n\n"
      "}}  // namespace nbody\n\n"
      "int main() {{\n  using namespace nbody;\n"
      "  return write_answers([](double n) {{ return answers_of(Worksheet{{n}}); }});\n}}\n",
      part.part, header, adding);
}

}  // namespace nbody
