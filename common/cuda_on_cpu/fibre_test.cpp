#include "cuda_on_cpu/fibre.hpp"
