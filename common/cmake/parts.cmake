# What begins a part, and its worksheet.

# The targets PART and PART_in_double build its programs.
#
# Options: STEP s      time step that its measurements take: fixed (default) or adaptive
#          DEVICE d    what it computes on: cpu (default) or gpu
#          RANKS p     it runs as that many processes, unless told otherwise; then it needs MPI
function(start_part part)
  cmake_parse_arguments(PART "" "STEP;DEVICE;RANKS" "" ${ARGN})
  set(LAB_PART ${part} PARENT_SCOPE)
  add_custom_target(${part})
  add_custom_target(${part}_in_double)
  set_property(GLOBAL PROPERTY LAB_RANKS_${part} ${PART_RANKS})
  set(launcher "")
  if(PART_RANKS)
    set(launcher ${lab_mpi_launcher})
  endif()
  append_row(parts NAME ${part} FOLDER ${CMAKE_CURRENT_SOURCE_DIR} DEFAULT_STEP ${PART_STEP} DEVICE ${PART_DEVICE}
    PROCESSES ${PART_RANKS} LAUNCHER ${launcher})
endfunction()

# More rows of a part that another folder started (solutions/).
function(continue_part part)
  set(LAB_PART ${part} PARENT_SCOPE)
endfunction()

# The worksheet of a part.
#   bin/PART/worksheet_answers   has the student's header in it, and writes its answers, which
#                                common/lab/worksheet judges by the questions, a Python file
#   PART_worksheet_answers       by which the programs of naive and mine show their Gflop/s: an
#                                object, so that it is compiled once and without anybody's flags
function(add_worksheet header questions)
  set(LAB_WORKSHEET ${CMAKE_CURRENT_SOURCE_DIR}/${header})
  add_student_program(${LAB_PART}_worksheet_program ${LAB_WORKSHEET} ${CMAKE_CURRENT_SOURCE_DIR}/${questions})
  set_target_properties(${LAB_PART}_worksheet_program PROPERTIES
    OUTPUT_NAME worksheet_answers RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin/${LAB_PART})

  set(live_flops ${CMAKE_CURRENT_BINARY_DIR}/worksheet_flops.cpp)
  configure_file(${CMAKE_SOURCE_DIR}/common/worksheet/live_flops.cpp.in ${live_flops} @ONLY)
  add_library(${LAB_PART}_worksheet_answers OBJECT ${live_flops})
  target_link_libraries(${LAB_PART}_worksheet_answers PRIVATE nbody_options)
  target_compile_options(${LAB_PART}_worksheet_answers PRIVATE -Wall)
endfunction()

# Writes the answers of a worksheet's header; what the questions ask for makes its source.
function(add_student_program target header questions)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${target}/worksheet_answers.cpp)
  set(tools ${LAB_PACKAGE}/nbody_lab/tasks)
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${target})
  add_custom_command(OUTPUT ${source} VERBATIM
    DEPENDS ${questions} ${tools}/student_source.py
    COMMAND ${CMAKE_COMMAND} -E env PYTHONPATH=${LAB_PACKAGE} ${PYTHON3} -B -m nbody_lab.tasks.student_source ${questions} ${header} ${source})
  add_executable(${target} ${source})
  target_link_libraries(${target} PRIVATE nbody_worksheet_answers)
  target_compile_options(${target} PRIVATE -Wall -O0)
endfunction()

# Instruction sets, and what they need of the compiler.
set(flags_of_sse2 -msse2)
set(flags_of_avx2 -mavx2 -mfma)
set(flags_of_avx512 -mavx512f -mavx512cd -mavx512dq -mavx512bw -mavx512vl -mfma)

# What the compiler says of a number that changes its type by the way: `std::pow(x, 2)` and `0.2 * x`
# compute in double, `float y = x` with x in double loses digits.
set(precision_warnings -Wdouble-promotion -Wfloat-conversion)
