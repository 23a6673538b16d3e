# Part 3 without a GPU: LAB_CUDA_ON_CPU says whether programs are made whose kernels run on the CPU. Of each
# implementation in CUDA there is then a program bin/PART_on_cpu/NAME, and a row of manifest_on_cpu.json; only
# `./lab check PART NAME --on-cpu` and `./lab run` with it look there, so that they are not measured. Built on demand.

include(CheckCXXSourceCompiles)
# A line of a kernel is known by it; clang has it from version 16 on.
set(CMAKE_REQUIRED_FLAGS -std=c++20)
check_cxx_source_compiles("#include <source_location>\nint main() { return std::source_location::current().line() == 0; }"
  LAB_HAS_SOURCE_LOCATION)
unset(CMAKE_REQUIRED_FLAGS)
set(LAB_CUDA_ON_CPU FALSE)
if(NOT CMAKE_SYSTEM_NAME STREQUAL Linux OR NOT PYTHON3 OR NOT LAB_HAS_SOURCE_LOCATION)
  message(STATUS "kernels of part 3 on the CPU are left out: they need Linux, Python, and g++ 11 or clang 16")
else()
  set(LAB_CUDA_ON_CPU TRUE)
endif()
# -g1: lines in what sanitizers and debuggers say. Pragmas of nvcc are none of g++'s.
set(flags_on_cpu -O3 -fno-math-errno -g1)

# RESULT is made of SOURCE, in CUDA, by common/cuda/on_cpu/as_cpp.py.
function(add_as_cpp source result)
  set(tool ${CMAKE_SOURCE_DIR}/common/cuda/on_cpu/as_cpp.py)
  add_custom_command(OUTPUT ${result} DEPENDS ${source} ${tool} DEPFILE ${result}.d VERBATIM
    COMMAND ${PYTHON3} -B ${tool} ${source} ${result} ${CMAKE_SOURCE_DIR}/common/cuda/on_cpu/stand_in ${CMAKE_SOURCE_DIR}/common
    COMMENT "reading ${source} as C++")
endfunction()

# Of add_implementation, whose variables it reads.
function(add_implementation_on_cpu)
  if(NOT LAB_CUDA_ON_CPU)
    return()
  endif()
  if(IMPL_NOT_ON_CPU)
    add_gpu_only_row(${name} "${IMPL_NOT_ON_CPU}")
    return()
  endif()
  set(IMPL_FLAGS ${flags_on_cpu})
  write_program_source(source on_cpu)
  string(REGEX REPLACE "\\.cu$" ".cpp" as_cpp ${source})
  add_as_cpp(${source} ${as_cpp})
  set(link nbody_cuda_on_cpu ${STUDENT_LINK})
  add_programs(programs ${LAB_PART}_on_cpu ${as_cpp} "${flags_on_cpu};-Wno-unknown-pragmas" "${link}" TRUE)
  add_sanitized_programs(${LAB_PART}_on_cpu ${as_cpp} "${flags_on_cpu}" "${link}")
  set(count "")
  if(NOT IMPL_NOT_COUNTED)
    set(count ${name}_count)
    add_count_program(${name} ${CMAKE_CURRENT_SOURCE_DIR}/${IMPL_HEADER}.cuh ${IMPL_CLASS} LINK ${STUDENT_LINK})
  endif()
  add_manifest_row(ON_CPU COUNT "${count}" NAME ${name} SUMMARY "${summary}" SOURCE ${CMAKE_CURRENT_SOURCE_DIR}/${IMPL_HEADER}.cuh
    CLASS ${IMPL_CLASS} PARENT "${IMPL_PARENT}" KIND ${IMPL_KIND} EXPECT "${IMPL_EXPECT}"
    FLAGS ${flags_on_cpu} PROGRAMS ${programs})
endfunction()
