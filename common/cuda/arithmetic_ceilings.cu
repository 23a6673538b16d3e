#include "cuda/arithmetic_kernels.cuh"
#include "cuda/device_array.cuh"
#include "cuda/measuring.cuh"
#include "cuda/occupancy.cuh"

namespace nbody {
namespace {

CeilingRow flops_row(const char* name, const char* precision) {
  return {"flops", name, "fma", precision, "", "flop/s"};
}
CeilingRow unit_row(const char* name, const char* operation, const char* precision) {
  return {"unit", name, operation, precision, "", "operation/s"};
}

template <typename Operation, typename T>
void add_operation(Measuring& measuring, const CeilingRow& row, T x, T y, double weight = 1) {
  const auto kernel = repeat_operation<Operation, T>;
  const unsigned blocks = blocks_at_once(kernel, ceiling_block);
  DeviceArray<T> results(std::size_t{blocks} * ceiling_block);
  const double amount = weight * operations_of_a_turn<Operation> * double(results.size());
  measuring.add(row, amount, [&](unsigned turns) {
    kernel<<<blocks, ceiling_block>>>(turns, x, y, results.data());
    check_launch();
  });
}

}  // namespace

// Chains start from x, x + y, x + 2 y, ... A factor close to -1 keeps the numbers alternating, with
// many bits set: like real data they take more power than zeros.
void add_arithmetic(Measuring& measuring) {
  constexpr double factor = -0.9999999, step = 1.7654321;
  const float factor_f = factor, step_f = step;
  add_operation<operation::Fma>(measuring, flops_row("FP32 FMA", "float"), factor_f, step_f, 2);
  add_operation<operation::Fma>(measuring, flops_row("FP64 FMA", "double"), factor, step, 2);
  add_operation<operation::RsqrtEstimate>(
      measuring, unit_row("FP32 1/sqrt, estimate (MUFU)", "rsqrt", "float"), step_f, step_f);
  add_operation<operation::Div>(measuring, unit_row("FP32 division", "div", "float"), step_f,
                                step_f);
  add_operation<operation::Div>(measuring, unit_row("FP64 division", "div", "double"), step, step);
  add_operation<operation::Sqrt>(measuring, unit_row("FP32 square root", "sqrt", "float"), step_f,
                                 step_f);
  add_operation<operation::Sqrt>(measuring, unit_row("FP64 square root", "sqrt", "double"), step,
                                 step);
}

}  // namespace nbody
