#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include "worksheet/answer_text.hpp"

namespace nbody {

// Runs the program with the student's worksheet.hpp, which may crash, loop, or claim what it likes:
// only the numbers that it writes count. Throws InputError with one line if it has not written all
// of them within `limit`; then it is killed. `printed` gets what the student's code printed.
AnswersAtBothSizes ask_student_program(const std::filesystem::path& program,
                                       std::chrono::milliseconds limit, std::string& printed);

}  // namespace nbody
