# Part 3 without a GPU: LAB_CUDA_ON_CPU says whether programs are made whose kernels run on the CPU. Of each
# implementation in CUDA there is then a program bin/PART_on_cpu/NAME, and a row of manifest_on_cpu.json; only
# `./lab check PART NAME --on-cpu` and `./lab run` with it look there, so that they are not measured. Built on demand.

set(LAB_CUDA_ON_CPU TRUE)
# A line of a kernel is known by std::source_location.
if(NOT CMAKE_SYSTEM_NAME STREQUAL Linux OR (CMAKE_CXX_COMPILER_ID MATCHES Clang AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 16))
  message(STATUS "kernels of part 3 on the CPU are left out: they need Linux, and g++ 11 or clang 16")
  set(LAB_CUDA_ON_CPU FALSE)
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
    append_row(gpu_only PART ${LAB_PART} NAME ${name} WHY "${IMPL_NOT_ON_CPU}" ON_CPU yes)
    return()
  endif()
  set(IMPL_FLAGS ${flags_on_cpu})
  write_program_source(source on_cpu)
  string(REGEX REPLACE "\\.cu$" ".cpp" as_cpp ${source})
  add_as_cpp(${source} ${as_cpp})
  set(link nbody_cuda_on_cpu ${STUDENT_LINK})
  add_programs(${LAB_PART}_on_cpu ${as_cpp} "${flags_on_cpu};-Wno-unknown-pragmas" "${link}" TRUE)
  add_variants("addresses;races" ${LAB_PART}_on_cpu ${as_cpp} "${flags_on_cpu}" "${link}")
  if(NOT IMPL_NOT_COUNTED)
    add_count_program(${name} ${CMAKE_CURRENT_SOURCE_DIR}/${IMPL_HEADER}.cuh ${IMPL_CLASS} "${STUDENT_LINK}" "")
  endif()
  add_own_row(ON_CPU yes)
endfunction()
