# Warnings for our own targets, and the sanitizers if enabled.
add_library(geniepath_warnings INTERFACE)
target_compile_options(geniepath_warnings INTERFACE
  "$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wshadow;-Wnon-virtual-dtor>"
  # a kernel's arguments are listed without braces around those of its base struct
  "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-missing-braces>"
  # gcc 12 reports all three in std::string's own code (GCC bug 105329)
  "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict;-Wno-stringop-overflow;-Wno-array-bounds>"
  # gcc 13 and 14 assume that a returned reference refers to a temporary argument
  "$<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<VERSION_GREATER_EQUAL:$<CXX_COMPILER_VERSION>,13>>:-Wno-dangling-reference>")

if(GENIEPATH_SANITIZE)
  add_compile_options(
    "$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=address,undefined;-fno-omit-frame-pointer;-fno-sanitize-recover=undefined>")
  add_link_options(-fsanitize=address,undefined)
endif()

# Both need clang: libFuzzer is part of it, and its OpenMP runtime reports barriers to the thread sanitizer, which gcc's
# does not.
if(GENIEPATH_TSAN OR GENIEPATH_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "GENIEPATH_TSAN and GENIEPATH_FUZZ need clang (-DCMAKE_CXX_COMPILER=clang++), found ${CMAKE_CXX_COMPILER_ID}")
  endif()
  add_compile_options(-fno-omit-frame-pointer -include ${PROJECT_SOURCE_DIR}/tests/fuzz/plain_vector.h)
endif()

if(GENIEPATH_TSAN)
  add_compile_options(-fsanitize=thread)
  add_link_options(-fsanitize=thread)
endif()

if(GENIEPATH_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=address,undefined)
endif()
