#include "worksheet/write_answers.hpp"

#include <unistd.h>

#include <cstdio>
#include <exception>

#include "protocol/descriptor.hpp"

namespace nbody {

int write_answers(Answers (*answers_of)(double n)) {
  const Descriptor out(::dup(STDOUT_FILENO));
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  try {
    const AnswersAtBothSizes answers = {answers_of(judged_sizes[0]), answers_of(judged_sizes[1])};
    write_fully(out, format_answers(answers));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  } catch (...) {
    std::fprintf(stderr, "an exception without words\n");
  }
  return 1;
}

}  // namespace nbody
