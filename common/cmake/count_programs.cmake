# The count program of an implementation: the same header with numbers that count (common/work).
# Target PART_NAME_count, program bin/PART/NAME_count, built on demand. Kernels of CUDA are counted on
# the CPU (on_cpu.cmake), so that it takes no GPU and no CUDA compiler.

# For programs with counting numbers: printing one would print nonsense, memset and memcpy would
# write past the counting.
set(count_flags -O1 -Wall -Wextra -Wno-unknown-pragmas -Werror=format $<$<CXX_COMPILER_ID:GNU>:-Werror=class-memaccess>)

# `link`: what the implementation needs; `flags`: those for the machine, which intrinsics need. Without OpenMP, so that one
# thread counts and pragmas that know plain numbers only are passed over; its run-time library answers omp_get_max_threads().
function(add_count_program name header class link flags)
  set(LAB_NAME ${name})
  set(LAB_HEADER ${header})
  set(LAB_CLASS ${class})
  set(target ${LAB_PART}_${name}_count)
  set(template ${CMAKE_SOURCE_DIR}/common/work/count.cpp.in)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}_count.cpp)
  if(header MATCHES "\\.cuh$")
    set(LAB_COUNTED_BY counting_kernels)
    set(cuda ${CMAKE_CURRENT_BINARY_DIR}/${name}_count.cu)
    configure_file(${template} ${cuda} @ONLY)
    add_as_cpp(${cuda} ${source})
    list(APPEND link nbody_cuda_on_cpu)
  else()
    # A batch of them takes longer to compile, so only where xsimd is used.
    set(LAB_COUNTED_BY counting_number)
    if(lab_xsimd IN_LIST link)
      set(LAB_COUNTED_BY counting_batch)
    endif()
    configure_file(${template} ${source} @ONLY)
  endif()
  add_executable(${target} EXCLUDE_FROM_ALL ${source})
  target_compile_definitions(${target} PRIVATE LAB_REAL=nbody::Counting)
  target_compile_options(${target} PRIVATE ${count_flags} ${flags})
  target_link_libraries(${target} PRIVATE nbody_count nbody_work ${link})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name}_count
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin/${LAB_PART})
endfunction()
