#pragma once

#include <functional>
#include <string>
#include <vector>

namespace nbody {

// A right row of the student's notebook, as ./lab worksheet tells it. What is not known is 0.
struct NotebookRow {
  int row = 0;  // its number
  std::string name;
  double n = 0;        // bodies
  double threads = 0;  // at most
  double expected = 0, measured = 0;
  double interactions_per_s = 0;
};
using NotebookRows = std::vector<NotebookRow>;

// From a JSON array of such rows. Throws InputError for another text.
NotebookRows notebook_rows_of(const std::string& json);

// How many ideas were predicted and measured.
int measured_ideas(const NotebookRows& rows);

// A number of the notebook, and where it stands: "row 3".
struct NotebookNumber {
  double value = 0;
  std::string where;
};
using NotebookNumbers = std::vector<NotebookNumber>;

// Which rows a question is about: 0 and "" are about any.
struct WhichRows {
  std::string name;
  double n = 0, threads = 0;
};
NotebookNumbers giga_interactions_per_s(const NotebookRows& rows, const WhichRows& which);
NotebookNumbers expected_gains(const NotebookRows& rows);
NotebookNumbers measured_gains(const NotebookRows& rows);
// Rates of two rows of the same name and n, over that with one thread; 0: of any number of threads
// from two on.
NotebookNumbers speed_ups_of_threads(const NotebookRows& rows, double n, double threads);

// Empty when a number is within 15 % of the answer, as a prediction has to be, or when there is
// none; else the nearest, and where: "4.2 in the notebook (row 5)".
std::string disagreement(double answer, const NotebookNumbers& numbers);

}  // namespace nbody
