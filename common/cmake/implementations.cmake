# How an implementation (a header) becomes programs of its own, and a row of the manifest.
#
#   start_part(part1 STEP adaptive)
#   add_worksheet(worksheet.hpp questions.json)
#   add_implementation(naive "the formulas, word for word")
#   add_implementation(race "..." PARENT third_law FLAGS -O3 -fopenmp KIND exhibit EXPECT "a data race")
#   add_student_implementations(flags.txt)
#
# Own programs, so that flags of one never reach another: the linker merges inlined functions. And a
# program for each number type, so that a student reads plain classes: NAME computes in float,
# NAME_double in double, NAME_count in numbers that count.

include(${CMAKE_CURRENT_LIST_DIR}/student_flags.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/count_programs.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/manifest.cmake)

# `third_law` -> ThirdLaw
function(class_of name result)
  string(REPLACE "_" ";" words ${name})
  set(class "")
  foreach(word ${words})
    string(SUBSTRING ${word} 0 1 first)
    string(SUBSTRING ${word} 1 -1 rest)
    string(TOUPPER ${first} first)
    string(APPEND class ${first}${rest})
  endforeach()
  set(${result} ${class} PARENT_SCOPE)
endfunction()

# The targets PART and PART_in_double build its programs.
#
# Options: STEP s      time step that its measurements take: fixed (default) or adaptive
#          DEVICE d    what it computes on: cpu (default) or gpu
#          RANKS p     it runs as that many processes, unless told otherwise; then it needs MPI
#          STUDIES f   what ./lab bench PART --study may ask, a JSON file (common/lab/studies.py)
function(start_part part)
  cmake_parse_arguments(PART "" "STEP;DEVICE;STUDIES;RANKS" "" ${ARGN})
  set(LAB_PART ${part} PARENT_SCOPE)
  add_custom_target(${part})
  add_custom_target(${part}_in_double)
  if(NOT PART_STEP)
    set(PART_STEP fixed)
  endif()
  if(NOT PART_DEVICE)
    set(PART_DEVICE cpu)
  endif()
  set_property(GLOBAL PROPERTY LAB_RANKS_${part} ${PART_RANKS})
  add_manifest_part(${part} ${PART_STEP} ${PART_DEVICE} "${PART_STUDIES}" "${PART_RANKS}")
endfunction()

# More rows of a part that another folder started (solutions/).
function(continue_part part)
  set(LAB_PART ${part} PARENT_SCOPE)
endfunction()

# The worksheet of a part.
#   bin/PART/worksheet_answers   has the student's header in it, and writes its answers, which
#                                common/lab/worksheet judges by the questions, a JSON file
#   PART_worksheet_answers       by which the programs of naive and mine show their Gflop/s: an
#                                object, so that it is compiled once and without anybody's flags
function(add_worksheet header questions)
  set(LAB_WORKSHEET ${CMAKE_CURRENT_SOURCE_DIR}/${header})
  if(PYTHON3)
    add_student_program(${LAB_PART}_worksheet_program ${LAB_WORKSHEET} ${CMAKE_CURRENT_SOURCE_DIR}/${questions})
    set_target_properties(${LAB_PART}_worksheet_program PROPERTIES
      OUTPUT_NAME worksheet_answers RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin/${LAB_PART})
  endif()

  set(live_flops ${CMAKE_CURRENT_BINARY_DIR}/worksheet_flops.cpp)
  configure_file(${CMAKE_SOURCE_DIR}/common/worksheet/live_flops.cpp.in ${live_flops} @ONLY)
  add_library(${LAB_PART}_worksheet_answers OBJECT ${live_flops})
  target_link_libraries(${LAB_PART}_worksheet_answers PRIVATE nbody_options)
  target_compile_options(${LAB_PART}_worksheet_answers PRIVATE -Wall)
endfunction()

# Writes the answers of a worksheet's header; what the questions ask for makes its source.
find_program(PYTHON3 python3)
function(add_student_program target header questions)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${target}/worksheet_answers.cpp)
  set(tools ${CMAKE_SOURCE_DIR}/common/lab/worksheet)
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${target})
  add_custom_command(OUTPUT ${source} VERBATIM
    DEPENDS ${questions} ${tools}/student_source.py ${tools}/questions_file.py
    COMMAND ${PYTHON3} -B ${tools}/student_source.py ${questions} ${header} ${source})
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

# Options: CLASS C        the class; default: the name in capitals
#          PARENT p       the rung it differs from by one idea; default naive
#          KIND k         naive, mine, rung, exhibit, solution; default rung (naive for `naive`)
#          PREDICTION x   how many times as fast as its parent it was expected to be
#          LONG_DIFF "why"  it changes more than ten lines of a function of its parent, and why
#          HOLDS_SUMS     its float sums lose nothing at any N: --thorough asks the usual limit of it
#                         in scenes that are hard to sum, too
#          FLAGS ...      compiler flags; default -O3
#          NEEDS ...      features of the CPU (as in /proc/cpuinfo); gpu, which .cuh files always do
#          EXPECT "text"  an exhibit's expected verdict or diagnosis
#          ARCHS ...      programs for each of these instruction sets (sse2 avx2 avx512, worst
#                         first) and a launcher; other processors get one program for what they have
#          LINK ...       targets that it needs, for example lab_xsimd
#          NOT_ON_CPU "what"  a .cuh file that uses what only a GPU has: no program for --on-cpu
#          PRECISIONS ... default: LAB_PRECISIONS of the folder, or float double
# NAME.cuh is compiled by nvcc and needs a GPU; without a CUDA compiler there is only its program whose
# kernels run on the CPU (on_cpu.cmake).
function(add_implementation name summary)
  if(name MATCHES "_(count|double)$")
    message(FATAL_ERROR "${name}: names that end in _count or _double belong to the programs for "
                        "other numbers; call it something else")
  endif()
  cmake_parse_arguments(IMPL "HOLDS_SUMS" "CLASS;PARENT;KIND;PREDICTION;EXPECT;LONG_DIFF;NOT_ON_CPU"
    "FLAGS;NEEDS;ARCHS;LINK;PRECISIONS" ${ARGN})
  set(extension hpp)
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${name}.cuh)
    set(extension cuh)
    list(APPEND IMPL_NEEDS gpu)
    list(APPEND IMPL_LINK nbody_cuda)
  endif()
  get_property(ranks GLOBAL PROPERTY LAB_RANKS_${LAB_PART})
  if(ranks)
    list(APPEND IMPL_LINK nbody_mpi)
    if(extension STREQUAL cuh)
      list(APPEND IMPL_LINK nbody_mpi_gpus)
    endif()
  endif()
  set_implementation_defaults()
  if(extension STREQUAL cuh)
    if(NOT ranks)
      add_implementation_on_cpu()
    endif()
    if(NOT LAB_CUDA)
      return()
    endif()
  endif()

  write_program_source(source "")
  set(target ${LAB_PART}_${name})
  set(programs "")
  foreach(precision ${IMPL_PRECISIONS})
    set(suffix "")
    set(all ${LAB_PART})
    if(precision STREQUAL double)
      set(suffix _double)
      set(all ${LAB_PART}_in_double)
    endif()
    if(NOT IMPL_ARCHS)
      add_implementation_program(${name}${suffix} ${source} ${precision} "" ${IMPL_KIND}
        "${IMPL_FLAGS}" "${IMPL_LINK}")
      list(APPEND programs "${precision}::${name}${suffix}")
      add_dependencies(${all} ${LAB_PART}_${name}${suffix})
    endif()
    foreach(arch ${IMPL_ARCHS})
      set(output ${name}_${arch}${suffix})
      add_implementation_program(${output} ${source} ${precision} ${arch} ${IMPL_KIND}
        "${IMPL_FLAGS};${flags_of_${arch}}" "${IMPL_LINK}")
      list(APPEND programs "${precision}:${arch}:${output}")
      add_dependencies(${all} ${LAB_PART}_${output})
    endforeach()
  endforeach()
  if(IMPL_ARCHS)
    add_instruction_set_launcher(${name} ${IMPL_ARCHS})
    add_dependencies(${LAB_PART} ${target})
    foreach(arch ${IMPL_ARCHS})
      add_dependencies(${target} ${target}_${arch})
    endforeach()
  endif()

  set(count "")
  if(LAB_PART MATCHES "^part[0-9]+$" AND NOT ranks)
    set(count ${name}_count)
    set(machine_flags ${IMPL_FLAGS})
    list(FILTER machine_flags INCLUDE REGEX "^-m")
    add_count_program(${name} ${CMAKE_CURRENT_SOURCE_DIR}/${name}.${extension} ${IMPL_CLASS}
      LINK ${IMPL_LINK} FLAGS ${machine_flags})
  endif()
  set(promise "")
  if(IMPL_HOLDS_SUMS)
    set(promise HOLDS_SUMS)
  endif()
  add_manifest_row(NAME ${name} ${promise} SUMMARY "${summary}" SOURCE ${CMAKE_CURRENT_SOURCE_DIR}/${name}.${extension}
    CLASS ${IMPL_CLASS} PARENT "${IMPL_PARENT}" KIND ${IMPL_KIND} PREDICTION "${IMPL_PREDICTION}"
    EXPECT "${IMPL_EXPECT}" LONG_DIFF "${IMPL_LONG_DIFF}" COUNT "${count}" FLAGS ${IMPL_FLAGS} NEEDS ${IMPL_NEEDS}
    PROGRAMS ${programs})
endfunction()

# Of add_implementation: what its row does not say.
macro(set_implementation_defaults)
  if(NOT IMPL_CLASS)
    class_of(${name} IMPL_CLASS)
  endif()
  if(NOT IMPL_KIND)
    set(IMPL_KIND rung)
    if(name STREQUAL naive)
      set(IMPL_KIND naive)
    endif()
  endif()
  if(NOT IMPL_PARENT AND IMPL_KIND MATCHES "^(mine|rung|exhibit|solution)$")
    set(IMPL_PARENT naive)
  endif()
  if(NOT IMPL_FLAGS)
    set(IMPL_FLAGS -O3)
  endif()
  if(NOT IMPL_PRECISIONS)
    set(IMPL_PRECISIONS float double)
    if(LAB_PRECISIONS)
      set(IMPL_PRECISIONS ${LAB_PRECISIONS})
    endif()
  endif()
  if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set(IMPL_ARCHS "")
  endif()
  # The flags of a study of compilers, for all; OpenMP stays.
  if(LAB_STUDY_FLAGS AND extension STREQUAL hpp)
    list(FILTER IMPL_FLAGS INCLUDE REGEX "^-fopenmp")
    separate_arguments(study_flags UNIX_COMMAND "${LAB_STUDY_FLAGS}")
    list(PREPEND IMPL_FLAGS ${study_flags})
  endif()
endmacro()

# Of add_implementation, whose variables it reads: the one source of all its programs. ON_CPU: "", or the folder of
# those whose kernels run on the CPU.
function(write_program_source result on_cpu)
  set(folder ${CMAKE_CURRENT_BINARY_DIR})
  if(on_cpu)
    string(APPEND folder /${on_cpu})
  endif()
  set(LAB_NAME ${name})
  set(LAB_SUMMARY ${summary})
  set(LAB_CLASS ${IMPL_CLASS})
  set(LAB_HEADER ${CMAKE_CURRENT_SOURCE_DIR}/${name}.${extension})
  list(JOIN IMPL_FLAGS " " LAB_FLAGS)
  set(LAB_INCLUDES "")
  set(LAB_MAKE make_this_one)
  set(LAB_ACCELERATOR nullptr)
  set(file ${folder}/${name}.cpp)
  if(extension STREQUAL cuh)
    set(LAB_INCLUDES "#include \"cuda/device.cuh\"\n")
    set(LAB_ACCELERATOR &cuda_accelerator)
    set(file ${folder}/${name}.cu)
  endif()
  get_property(ranks GLOBAL PROPERTY LAB_RANKS_${LAB_PART})
  if(ranks)
    set(LAB_INCLUDES "#include \"mpi/ranks.hpp\"\n")
    set(LAB_ACCELERATOR &mpi_ranks)
    if(extension STREQUAL cuh)
      set(LAB_ACCELERATOR &mpi_gpus)
    endif()
    set(LAB_MAKE "made_on_all_ranks<real, make_this_one>")
  endif()
  set(LAB_LIVE_FLOPS nullptr)
  if(IMPL_KIND MATCHES "^(naive|mine)$" AND TARGET ${LAB_PART}_worksheet_answers AND NOT on_cpu)
    set(LAB_LIVE_FLOPS "[](double n) { return live_flops_of(\"${name}\", n); }")
  endif()
  configure_file(${CMAKE_SOURCE_DIR}/common/simulator/program.cpp.in ${file} @ONLY)
  set(${result} ${file} PARENT_SCOPE)
endfunction()

# One program bin/PART/OUTPUT, target PART_OUTPUT.
function(add_implementation_program output source precision arch kind flags link)
  set(target ${LAB_PART}_${output})
  add_executable(${target} ${source})
  target_link_libraries(${target} PRIVATE nbody_simulator ${link})
  if(kind MATCHES "^(naive|mine)$" AND TARGET ${LAB_PART}_worksheet_answers)
    target_link_libraries(${target} PRIVATE ${LAB_PART}_worksheet_answers)
  endif()
  target_compile_definitions(${target} PRIVATE LAB_REAL=${precision} LAB_INSTRUCTION_SET="${arch}")
  # Headers that differ between float and double.
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${precision})
    target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/${precision})
  endif()
  # A student's header is warned about, never refused.
  if(NOT kind STREQUAL mine)
    target_link_libraries(${target} PRIVATE nbody_warnings)
  elseif(source MATCHES "\\.cu$")
    target_compile_options(${target} PRIVATE -Xcompiler=-Wall,-Wextra)
  else()
    target_compile_options(${target} PRIVATE -Wall -Wextra)
  endif()
  if(source MATCHES "\\.cpp$" AND kind MATCHES "^(naive|mine|rung|exhibit|solution)$")
    target_compile_options(${target} PRIVATE ${precision_warnings})
  endif()
  # A sanitized or profiled build keeps its own optimisation level.
  if(LAB_SANITIZE OR LAB_PROFILE)
    list(FILTER flags EXCLUDE REGEX "^-O")
  endif()
  target_compile_options(${target} PRIVATE ${flags})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${output}
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin/${LAB_PART})
endfunction()

# bin/PART/NAME, which becomes the program for the best instruction set that the machine has.
function(add_instruction_set_launcher name)  # further arguments: instruction sets, worst first
  set(LAB_NAME ${name})
  list(JOIN ARGN " " LAB_ARCHS)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}_launcher.cpp)
  configure_file(${CMAKE_SOURCE_DIR}/common/simulator/launcher.cpp.in ${source} @ONLY)
  add_executable(${LAB_PART}_${name} ${source})
  target_link_libraries(${LAB_PART}_${name} PRIVATE nbody_launcher nbody_warnings)
  set_target_properties(${LAB_PART}_${name} PROPERTIES OUTPUT_NAME ${name}
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin/${LAB_PART})
endfunction()

# A simulator that is a program already (another language, a broken server): same row, no header.
function(add_program name summary source)
  cmake_parse_arguments(IMPL "" "KIND;EXPECT" "LINK" ${ARGN})
  set(target ${LAB_PART}_${name})
  add_executable(${target} ${source})
  target_link_libraries(${target} PRIVATE nbody_options nbody_warnings ${IMPL_LINK})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name}
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin/${LAB_PART})
  add_dependencies(${LAB_PART} ${target})
  add_manifest_row(NAME ${name} SUMMARY "${summary}" SOURCE ${CMAKE_CURRENT_SOURCE_DIR}/${source}
    KIND ${IMPL_KIND} EXPECT "${IMPL_EXPECT}" PROGRAMS "float::${name}")
endfunction()

# mine.hpp and mine_*.hpp (CUDA: mine.cuh and mine_*.cuh) with the flags of a file: `#` comments; a
# line of flags holds for all of them, a line `mine_NAME: flags` for that one instead.
# LINK ...: targets that they may use, if there are any such. CUDA: headers and flags for nvcc.
function(add_student_implementations flags_file)
  cmake_parse_arguments(STUDENT "CUDA" "" "LINK" ${ARGN})
  set(student_extension hpp)
  if(STUDENT_CUDA)
    set(student_extension cuh)
  endif()
  set(link "")
  foreach(target ${STUDENT_LINK})
    if(TARGET ${target})
      list(APPEND link ${target})
    endif()
  endforeach()
  find_student_headers(names)
  read_student_flags(${flags_file} ${names})
  foreach(name ${names})
    set(flags -O3)
    foreach(wanted student_flags student_flags_${name})
      if(DEFINED ${wanted})
        set(flags ${${wanted}})
      endif()
    endforeach()
    add_implementation(${name} "your version (${name}.${student_extension})" CLASS Mine KIND mine
      FLAGS ${flags} LINK ${link})
  endforeach()
endfunction()
