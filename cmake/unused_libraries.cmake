# Debian 12's LibTorch names libraries whose functions it never calls (OpenCV, FFmpeg, ZeroMQ, ...). They bring 200 others
# along (Qt, GDAL, ...), which take as long to load as LibTorch itself. One empty library under their names stands in for
# them in our programs, whose rpath comes first. Not in our libraries and the Python package: the programs that load those
# may need the real ones.
#
# Sets GENIEPATH_STAND_INS to their folder; empty if LibTorch names none, or does not start with them.
include(GNUInstallDirs)
set(GENIEPATH_STAND_INS "")
if(GENIEPATH_CUDA OR NOT CMAKE_READELF)
  return()
endif()
get_target_property(torch_location torch_cpu LOCATION)
execute_process(COMMAND ${CMAKE_READELF} -dW ${torch_location} OUTPUT_VARIABLE needed ERROR_QUIET)
string(REGEX MATCHALL "\\[lib(opencv_[a-z0-9]+|avcodec|avformat|avutil|swscale|swresample|zmq|lmdb|leveldb)\\.so[^]]*\\]"
       unused "${needed}")
if(NOT unused)
  return()
endif()

set(folder ${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_LIBEXECDIR}/geniepath/unused)
file(MAKE_DIRECTORY ${folder})
file(WRITE ${folder}/try.cpp "int main() { return 0; }\n")
execute_process(COMMAND ${CMAKE_CXX_COMPILER} -shared -nostdlib -x c++ /dev/null -o ${folder}/empty.so RESULT_VARIABLE failed)
foreach(name ${unused})
  string(REGEX REPLACE "[][]" "" name ${name})
  file(CREATE_LINK empty.so ${folder}/${name} SYMBOLIC)
endforeach()
# LibTorch starts with them if nothing that it loads, with every symbol looked up, misses one of the real ones.
execute_process(
  COMMAND ${CMAKE_CXX_COMPILER} ${folder}/try.cpp -o ${folder}/try -Wl,--no-as-needed ${torch_location}
          -Wl,--disable-new-dtags,-rpath,${folder} -Wl,--allow-shlib-undefined
  COMMAND_ECHO NONE OUTPUT_QUIET ERROR_QUIET)
execute_process(COMMAND ${CMAKE_COMMAND} -E env LD_BIND_NOW=1 ${folder}/try RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
file(REMOVE ${folder}/try ${folder}/try.cpp)
list(LENGTH unused count)
if(failed)
  message(STATUS "geniepath: LibTorch needs the ${count} libraries that only slow down its start")
else()
  set(GENIEPATH_STAND_INS ${folder})
  message(STATUS "geniepath: ${count} libraries that LibTorch names but never calls are not loaded")
endif()
