# The count program's own test, which knows the counts of the given code: the tree that students get lacks it.
# Small implementations, of which only the count programs are built.
set(LAB_PART work_test)
set(count_targets part1_naive_count)
if(EXISTS ${CMAKE_SOURCE_DIR}/part2_vectorization)
  list(APPEND count_targets part2_naive_count)
endif()
set(folder ${CMAKE_CURRENT_SOURCE_DIR}/test_implementations)
foreach(name hoisted prepared padded nearest past_the_counting way_out not_on_the_heap)
  class_of(${name} class)
  add_count_program(${name} ${folder}/counted.hpp ${class})
  list(APPEND count_targets work_test_${name}_count)
endforeach()
if(OpenMP_CXX_FOUND)
  add_count_program(with_openmp ${folder}/with_openmp.hpp WithOpenmp)
  list(APPEND count_targets work_test_with_openmp_count)
endif()
if(EXISTS ${CMAKE_SOURCE_DIR}/solutions/part1_standard_opti)
  foreach(rung algebra locals third_law array_reduction)
    list(APPEND count_targets part1_${rung}_count)
  endforeach()
endif()
if(TARGET lab_xsimd AND EXISTS ${CMAKE_SOURCE_DIR}/solutions/part2_vectorization)
  foreach(rung xsimd_exact newton blocked third_law horizontal_sum)
    list(APPEND count_targets part2_${rung}_count)
  endforeach()
endif()
add_room_test(count_program_test count_program_test.cpp
  NEEDS simulator_test_command nlohmann_json::nlohmann_json)
target_compile_definitions(count_program_test PRIVATE NAIVE_COUNT="$<TARGET_FILE:part1_naive_count>"
  COUNT_PROGRAMS="${CMAKE_BINARY_DIR}/bin/work_test"
  LADDER_PROGRAMS="${CMAKE_BINARY_DIR}/bin/part1"
  VECTOR_PROGRAMS="${CMAKE_BINARY_DIR}/bin/part2")
add_dependencies(count_program_test ${count_targets})
