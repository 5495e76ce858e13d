# The web page in the program: built by Vite where Node.js and npm are there, then packed into a source file. Where they
# are not, or the packages cannot be had, the program is built without a page and says so.
option(GENIEPATH_PAGE "Build the web page of `geniepath serve` into the program (needs Node.js and npm)" ON)

find_program(NODE_PROGRAM node)
find_program(NPM_PROGRAM npm)
mark_as_advanced(NODE_PROGRAM NPM_PROGRAM)

if(NOT GENIEPATH_PAGE OR NOT NODE_PROGRAM OR NOT NPM_PROGRAM OR NOT EXISTS ${PROJECT_SOURCE_DIR}/web/package-lock.json)
  message(STATUS "geniepath: the web page of `geniepath serve` is not included (it needs Node.js and npm)")
  target_sources(geniepath_core PRIVATE no_page/page.cpp)
  return()
endif()

set(page_source ${PROJECT_BINARY_DIR}/page/page.cpp)
file(GLOB_RECURSE page_inputs CONFIGURE_DEPENDS
     ${PROJECT_SOURCE_DIR}/web/src/* ${PROJECT_SOURCE_DIR}/web/public/* ${PROJECT_SOURCE_DIR}/web/scripts/*)
list(FILTER page_inputs EXCLUDE REGEX "api_schema.d.ts$")  # made by the build
foreach(name index.html package.json package-lock.json openapi.json tsconfig.json vite.config.ts)
  list(APPEND page_inputs ${PROJECT_SOURCE_DIR}/web/${name})
endforeach()
add_custom_command(
  OUTPUT ${page_source}
  COMMAND ${CMAKE_COMMAND} -DWEB=${PROJECT_SOURCE_DIR}/web -DOUT=${page_source} -DNPM=${NPM_PROGRAM}
          -DNODE=${NODE_PROGRAM} -DNO_PAGE=${PROJECT_SOURCE_DIR}/src/serve/no_page/page.cpp
          -P ${PROJECT_SOURCE_DIR}/cmake/build_page.cmake
  DEPENDS ${page_inputs} ${PROJECT_SOURCE_DIR}/cmake/build_page.cmake ${PROJECT_SOURCE_DIR}/cmake/pack_page.mjs
          ${PROJECT_SOURCE_DIR}/src/serve/no_page/page.cpp
  COMMENT "Building the web page"
  VERBATIM)
add_custom_target(geniepath_page DEPENDS ${page_source})
add_dependencies(geniepath_core geniepath_page)
set_source_files_properties(${page_source} TARGET_DIRECTORY geniepath PROPERTIES GENERATED ON SKIP_PRECOMPILE_HEADERS ON)
target_sources(geniepath_core PRIVATE ${page_source})
