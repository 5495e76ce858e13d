# Warnings for our own targets, and the sanitizers where asked for.
add_library(geniepath_warnings INTERFACE)
target_compile_options(geniepath_warnings INTERFACE
  "$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wshadow;-Wnon-virtual-dtor>"
  # gcc 12 sees all three in std::string's own copies (GCC bug 105329)
  "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict;-Wno-stringop-overflow;-Wno-array-bounds>")

if(GENIEPATH_SANITIZE)
  add_compile_options(
    "$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=address,undefined;-fno-omit-frame-pointer;-fno-sanitize-recover=undefined>")
  add_link_options(-fsanitize=address,undefined)
endif()

if(GENIEPATH_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "GENIEPATH_FUZZ needs clang (-DCMAKE_CXX_COMPILER=clang++), found ${CMAKE_CXX_COMPILER_ID}")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-omit-frame-pointer
                      -fno-sanitize-recover=undefined -include ${PROJECT_SOURCE_DIR}/tests/fuzz/plain_vector.h)
  add_link_options(-fsanitize=address,undefined)
endif()
