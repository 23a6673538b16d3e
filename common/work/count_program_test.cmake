# The count program's own test, which knows the counts of the given code: the tree that students get lacks it.
# A small implementation and one that counts oddly, of which only the count programs are built; of the others
# those that are here, once all are known.
set(LAB_PART work_test)
add_room_test(count_program_test count_program_test.cpp
  NEEDS simulator_test_command nlohmann_json::nlohmann_json)
target_compile_definitions(count_program_test PRIVATE BIN="${CMAKE_BINARY_DIR}/bin/")
foreach(class Small Odd)
  string(TOLOWER ${class} name)
  add_count_program(${name} ${CMAKE_CURRENT_SOURCE_DIR}/test_implementations/small.hpp ${class} "" "")
  add_dependencies(count_program_test work_test_${name}_count)
endforeach()
function(build_counted)
  foreach(name part1_naive part1_third_law part1_array_reduction part1_private_sums
      part2_newton part2_blocked part2_third_law part3_naive part3_tiles)
    if(TARGET ${name}_count)
      add_dependencies(count_program_test ${name}_count)
    endif()
  endforeach()
endfunction()
cmake_language(DEFER DIRECTORY ${CMAKE_SOURCE_DIR} CALL build_counted)
