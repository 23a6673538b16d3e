#include "work/count.hpp"

namespace nbody::work {

const WorkClass all_flops = {"flops", "flops", false, flops};
const WorkClass all_memops = {"memops", "loads and stores", false,
                              [](const Counts& counts) { return counts.loads + counts.stores; }};

const std::vector<WorkClass>& work_classes() {
  static const std::vector<WorkClass> classes = {
      {"add", "add, subtract", false, [](const Counts& counts) { return counts.add; }},
      {"mul", "multiply", false, [](const Counts& counts) { return counts.mul; }},
      {"div", "divide", false, [](const Counts& counts) { return counts.div; }},
      {"sqrt", "sqrt", false, [](const Counts& counts) { return counts.sqrt; }},
      {"rsqrt", "1/sqrt in one", true, [](const Counts& counts) { return counts.rsqrt; }},
      {"fma", "fma (2 flops)", true, [](const Counts& counts) { return counts.fma; }},
      {"pow", "pow (1 flop)", true, [](const Counts& counts) { return counts.pow; }},
      all_flops,
      {"loads", "loads", false, [](const Counts& counts) { return counts.loads; }},
      {"stores", "stores", false, [](const Counts& counts) { return counts.stores; }},
      all_memops,
      {"shared_loads", "loads, shared memory", true,
       [](const Counts& counts) { return counts.shared_loads; }},
      {"shared_stores", "stores, shared memory", true,
       [](const Counts& counts) { return counts.shared_stores; }},
  };
  return classes;
}

}  // namespace nbody::work
