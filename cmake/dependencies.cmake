# Required: LibTorch, CLI11, nlohmann-json, OpenMP. Everything else is used where it is found; a feature whose library
# is absent is left out file by file, and says at run time which package is missing.

find_package(Torch REQUIRED)
find_package(OpenMP REQUIRED)

# CUDA where LibTorch was built with it; nvcc alone is enough to check that the kernels compile.
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 90 CACHE STRING "GPU generations to build for: 80, 90, native, ...")
endif()
include(CheckLanguage)
check_language(CUDA)
if(CMAKE_CUDA_COMPILER)
  enable_language(CUDA)
  find_package(CUDAToolkit)
  if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake before 3.25.2 does not know that nvcc can
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
  endif()
  set(CMAKE_CUDA_STANDARD 20)
  add_compile_options($<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr>)
endif()
if(TORCH_CUDA_LIBRARIES AND CMAKE_CUDA_COMPILER)
  set(GENIEPATH_CUDA TRUE)
  message(STATUS "geniepath: CUDA ${CMAKE_CUDA_COMPILER_VERSION} for ${CMAKE_CUDA_ARCHITECTURES}")
else()
  set(GENIEPATH_CUDA FALSE)
  message(STATUS "geniepath: no CUDA in LibTorch; built for the CPU")
endif()
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(Threads REQUIRED)

set(GENIEPATH_WITHOUT "" CACHE STRING "Libraries to do without though they are installed: onednn;simdjson;...")

# A library with a header and a .so, as an imported target geniepath_<name>; <NAME>_FOUND says whether it is there.
function(geniepath_find_library name header library)
  string(TOUPPER ${name} upper)
  if(name IN_LIST GENIEPATH_WITHOUT)
    set(${upper}_FOUND FALSE PARENT_SCOPE)
    return()
  endif()
  find_path(${upper}_INCLUDE_DIR ${header})
  find_library(${upper}_LIBRARY ${library})
  mark_as_advanced(${upper}_INCLUDE_DIR ${upper}_LIBRARY)
  if(${upper}_INCLUDE_DIR AND ${upper}_LIBRARY)
    add_library(geniepath_${name} INTERFACE)
    target_include_directories(geniepath_${name} SYSTEM INTERFACE $<BUILD_INTERFACE:${${upper}_INCLUDE_DIR}>)
    target_link_libraries(geniepath_${name} INTERFACE $<BUILD_INTERFACE:${${upper}_LIBRARY}>)
    set(${upper}_FOUND TRUE PARENT_SCOPE)
    message(STATUS "geniepath: ${name} found at ${${upper}_LIBRARY}")
  else()
    set(${upper}_FOUND FALSE PARENT_SCOPE)
    message(STATUS "geniepath: ${name} not found; what needs it is left out")
  endif()
endfunction()

geniepath_find_library(onednn dnnl.hpp dnnl)
geniepath_find_library(simdjson simdjson.h simdjson)
geniepath_find_library(matio matio.h matio)
geniepath_find_library(curl curl/curl.h curl)
geniepath_find_library(zlib zlib.h z)

# Highway's library picks the instruction set at run time. Given as a folder of headers alone
# (-DHIGHWAY_INCLUDE_DIR=...), the instruction set is the compiler's.
geniepath_find_library(highway hwy/highway.h hwy)
if(highway IN_LIST GENIEPATH_WITHOUT)
  set(HIGHWAY_INCLUDE_DIR "")  # also where an earlier configuration found it
endif()

# cpp-httplib: Debian's library says through pkg-config how it was built; elsewhere the header is all there is. A source
# that includes the header is compiled with ${HTTPLIB_FLAGS}, which are kept from all others.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(HTTPLIB_PC QUIET cpp-httplib)
endif()
find_path(HTTPLIB_INCLUDE_DIR httplib.h)
mark_as_advanced(HTTPLIB_INCLUDE_DIR)
if(HTTPLIB_INCLUDE_DIR AND NOT "httplib" IN_LIST GENIEPATH_WITHOUT)
  set(HTTPLIB_FOUND TRUE)
  add_library(geniepath_httplib INTERFACE)
  target_include_directories(geniepath_httplib SYSTEM INTERFACE $<BUILD_INTERFACE:${HTTPLIB_INCLUDE_DIR}>)
  target_link_libraries(geniepath_httplib INTERFACE $<BUILD_INTERFACE:${HTTPLIB_PC_LIBRARIES}>)
  set(HTTPLIB_FLAGS ${HTTPLIB_PC_CFLAGS_OTHER})
  message(STATUS "geniepath: httplib found at ${HTTPLIB_INCLUDE_DIR}")
else()
  set(HTTPLIB_FOUND FALSE)
  message(STATUS "geniepath: httplib not found; what needs it is left out")
endif()

find_program(CCACHE ccache)
if(CCACHE)
  # What ccache needs to be told to work beside a precompiled header.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
  add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>)
endif()
