# build/<preset>/manifest.json: what every tool knows about parts and implementations (docs/fields.md). Version 2.
# manifest_on_cpu.json is the same for programs whose kernels run on the CPU, with the list of those that have none.
# Rows are collected here, and manifest.py makes JSON of them.

# A row of one of the lists, in the order of the calls: names in capitals, each with its values.
function(append_row list)
  list(JOIN ARGN "\t" words)
  set_property(GLOBAL APPEND_STRING PROPERTY LAB_MANIFEST "${list}\t${words}\n")
endfunction()

# PRECISIONS, ARCHS: its programs, which are called by PROGRAM or else by NAME. COUNT yes: it has a count program. ON_CPU
# yes: a row of manifest_on_cpu.json.
function(add_manifest_row)
  cmake_parse_arguments(ROW "" "NAME;ON_CPU" "" ${ARGN})
  append_row(implementations PART ${LAB_PART} ${ARGN})
  if(NOT ROW_ON_CPU)
    set_property(GLOBAL APPEND PROPERTY LAB_MANIFEST_${LAB_PART} ${ROW_NAME})  # the part's names, for its tests
  endif()
endfunction()

function(write_manifest)
  get_property(rows GLOBAL PROPERTY LAB_MANIFEST)
  file(WRITE ${CMAKE_BINARY_DIR}/manifest_rows.txt "${rows}")
  execute_process(COMMAND ${PYTHON3} -B ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/manifest.py ${CMAKE_SOURCE_DIR}
    ${CMAKE_BINARY_DIR} COMMAND_ERROR_IS_FATAL ANY)
  # What ./lab says before it goes on: headers that are left out.
  get_property(notices GLOBAL PROPERTY LAB_NOTICES)
  file(WRITE ${CMAKE_BINARY_DIR}/notices.txt "${notices}")
endfunction()
