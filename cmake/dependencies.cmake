# Required: LibTorch, CLI11, nlohmann-json, OpenMP. Everything else is used if found; without a library, the files that
# need it are replaced by twins that are slower or name the missing package at run time.

find_package(Torch REQUIRED)
find_package(OpenMP REQUIRED)

# CUDA is used if LibTorch was built with it; nvcc alone only checks that the kernels compile.
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 90 CACHE STRING "GPU generations to build for: 80, 90, native, ...")
endif()
include(CheckLanguage)
check_language(CUDA)
if(CMAKE_CUDA_COMPILER)
  enable_language(CUDA)
  find_package(CUDAToolkit)
  if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake before 3.25.2 is unaware of nvcc's C++20
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

set(GENIEPATH_WITHOUT "" CACHE STRING "Installed libraries not to use: onednn;simdjson;...")

# Finds the folder of a header, <NAME>_INCLUDE_DIR; one that was given must have it.
function(geniepath_find_header name header)
  string(TOUPPER ${name} NAME)
  find_path(${NAME}_INCLUDE_DIR ${header})
  mark_as_advanced(${NAME}_INCLUDE_DIR)
  if(${NAME}_INCLUDE_DIR AND NOT EXISTS "${${NAME}_INCLUDE_DIR}/${header}")
    message(FATAL_ERROR "geniepath: ${NAME}_INCLUDE_DIR is ${${NAME}_INCLUDE_DIR}, expected a folder with ${header}")
  endif()
endfunction()

# Finds a library with a header and a .so: defines the target geniepath_<name>, and sets <NAME>_FOUND.
function(geniepath_find_library name header library)
  string(TOUPPER ${name} upper)
  if(name IN_LIST GENIEPATH_WITHOUT)
    set(${upper}_FOUND FALSE PARENT_SCOPE)
    return()
  endif()
  geniepath_find_header(${name} ${header})
  find_library(${upper}_LIBRARY ${library})
  mark_as_advanced(${upper}_LIBRARY)
  if(${upper}_INCLUDE_DIR AND ${upper}_LIBRARY)
    add_library(geniepath_${name} INTERFACE)
    target_include_directories(geniepath_${name} SYSTEM INTERFACE $<BUILD_INTERFACE:${${upper}_INCLUDE_DIR}>)
    target_link_libraries(geniepath_${name} INTERFACE $<BUILD_INTERFACE:${${upper}_LIBRARY}>)
    set(${upper}_FOUND TRUE PARENT_SCOPE)
    message(STATUS "geniepath: ${name} found at ${${upper}_LIBRARY}")
  else()
    set(${upper}_FOUND FALSE PARENT_SCOPE)
    message(STATUS "geniepath: ${name} not found; features that need it are left out")
  endif()
endfunction()

geniepath_find_library(onednn dnnl.hpp dnnl)
geniepath_find_library(simdjson simdjson.h simdjson)
geniepath_find_library(matio matio.h matio)
geniepath_find_library(curl curl/curl.h curl)
geniepath_find_library(metis metis.h metis)
geniepath_find_library(zlib zlib.h z)

# Highway chooses the instruction set at run time. Its headers alone suffice (-DHIGHWAY_INCLUDE_DIR=...).
geniepath_find_library(highway hwy/highway.h hwy)
if(highway IN_LIST GENIEPATH_WITHOUT)
  set(HIGHWAY_INCLUDE_DIR "")  # overrides the cache of an earlier configuration
elseif(HIGHWAY_INCLUDE_DIR AND NOT HIGHWAY_FOUND)
  message(STATUS "geniepath: of highway, the headers in ${HIGHWAY_INCLUDE_DIR} suffice")
endif()

# Engines of LibTorch's for several processes. Their headers alone are needed (-DGLOO_INCLUDE_DIR=..., -DNCCL_INCLUDE_DIR=...),
# as their code is in LibTorch.
function(geniepath_find_engine name header c10d_header)
  string(TOUPPER ${name} NAME)
  geniepath_find_header(${name} ${header})
  find_file(c10d_file torch/csrc/distributed/c10d/${c10d_header} PATHS ${TORCH_INCLUDE_DIRS} NO_CACHE)
  if(${NAME}_INCLUDE_DIR AND c10d_file AND NOT ${name} IN_LIST GENIEPATH_WITHOUT)
    set(${NAME}_FOUND TRUE PARENT_SCOPE)
    message(STATUS "geniepath: ${name} found at ${${NAME}_INCLUDE_DIR}")
  else()
    set(${NAME}_FOUND FALSE PARENT_SCOPE)
    message(STATUS "geniepath: ${name} not found; features that need it are left out")
  endif()
endfunction()

geniepath_find_engine(gloo gloo/context.h ProcessGroupGloo.hpp)
set(NCCL_FOUND FALSE)
if(GENIEPATH_CUDA AND NCCL_INCLUDE_DIR)  # only where asked for: see docs/scaling.md
  geniepath_find_engine(nccl nccl.h ProcessGroupNCCL.hpp)
endif()

# cpp-httplib: in Debian a library whose build flags pkg-config reports, elsewhere only a header. Sources that include
# it are compiled with ${HTTPLIB_FLAGS}; no other source is.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(HTTPLIB_PC QUIET cpp-httplib)
endif()
geniepath_find_header(httplib httplib.h)
if(HTTPLIB_INCLUDE_DIR AND NOT "httplib" IN_LIST GENIEPATH_WITHOUT)
  set(HTTPLIB_FOUND TRUE)
  add_library(geniepath_httplib INTERFACE)
  target_include_directories(geniepath_httplib SYSTEM INTERFACE $<BUILD_INTERFACE:${HTTPLIB_INCLUDE_DIR}>)
  target_link_libraries(geniepath_httplib INTERFACE $<BUILD_INTERFACE:${HTTPLIB_PC_LIBRARIES}>)
  set(HTTPLIB_FLAGS ${HTTPLIB_PC_CFLAGS_OTHER})
  message(STATUS "geniepath: httplib found at ${HTTPLIB_INCLUDE_DIR}")
else()
  set(HTTPLIB_FOUND FALSE)
  message(STATUS "geniepath: httplib not found; features that need it are left out")
endif()

find_program(CCACHE ccache)
if(CCACHE)
  # Settings that ccache needs with a precompiled header.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_DEPEND=1 ${CCACHE})
  add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>)
endif()
