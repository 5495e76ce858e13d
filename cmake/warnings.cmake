# Warnings for our own targets, and the sanitizers where asked for.
add_library(geniepath_warnings INTERFACE)
target_compile_options(geniepath_warnings INTERFACE
  -Wall -Wextra -Wshadow -Wnon-virtual-dtor
  -Wno-restrict -Wno-stringop-overflow)  # gcc 12 sees both in std::string's own copies (GCC bug 105329)

if(GENIEPATH_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=address,undefined)
endif()
