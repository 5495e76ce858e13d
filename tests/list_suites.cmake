# cmake -DPROGRAM=... -DOUT=... -P list_suites.cmake
# Writes the tests of a GoogleTest program for CTest, one per suite, to be started before shorter ones.
execute_process(COMMAND ${PROGRAM} --gtest_list_tests OUTPUT_VARIABLE list COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "(^|\n)[^ \n][^\n]*\\.( *#[^\n]*)?\n" suites "${list}")
set(tests "")
foreach(suite IN LISTS suites)
  string(REGEX REPLACE "[\n ]|#.*" "" suite "${suite}")
  string(REGEX REPLACE "\\.$" "" name "${suite}")
  string(APPEND tests "add_test([==[${name}]==] [==[${PROGRAM}]==] [==[--gtest_filter=${suite}*]==])\n"
                      "set_tests_properties([==[${name}]==] PROPERTIES TIMEOUT 1800 COST 100)\n")
endforeach()
file(WRITE ${OUT} "${tests}")
