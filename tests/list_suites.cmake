# cmake -DPROGRAM=... -DPREFIX=... -DOUT=... -P list_suites.cmake
# Writes the tests of a GoogleTest program for CTest, one per suite: a program that loads LibTorch takes longer to start
# than most of its tests take to run.
execute_process(COMMAND ${PROGRAM} --gtest_list_tests OUTPUT_VARIABLE list COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "(^|\n)[^ \n][^\n]*\\.( *#[^\n]*)?\n" suites "${list}")
set(tests "")
foreach(suite IN LISTS suites)
  string(REGEX REPLACE "[\n ]|#.*" "" suite "${suite}")
  string(REGEX REPLACE "\\.$" "" name "${suite}")
  string(APPEND tests "add_test([==[${PREFIX}${name}]==] [==[${PROGRAM}]==] [==[--gtest_filter=${suite}*]==])\n"
                      "set_tests_properties([==[${PREFIX}${name}]==] PROPERTIES TIMEOUT 600)\n")
endforeach()
file(WRITE ${OUT} "${tests}")
