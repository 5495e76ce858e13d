# Run by the build (cmake/page.cmake): packages, page, source file. A machine that cannot get the packages gets a program
# without the page, and a warning.
function(run_or_go_without what)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${WEB} RESULT_VARIABLE code OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  if(code EQUAL 0)
    return()
  endif()
  message("${output}")
  message(WARNING "${what} failed: the program is built without the web page")
  configure_file(${NO_PAGE} ${OUT} COPYONLY)
  set(FAILED TRUE PARENT_SCOPE)
endfunction()

set(ENV{PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD} 1)
file(SHA256 ${WEB}/package-lock.json wanted)
set(stamp ${WEB}/node_modules/.geniepath-packages)
set(present "")
if(EXISTS ${stamp})
  file(READ ${stamp} present)
endif()
if(NOT present STREQUAL wanted)
  # Not `npm ci`: it refuses a lock file without the optional packages of platforms that are not this one.
  # A registry that cannot be reached is soon given up.
  run_or_go_without("npm install" ${NPM} install --no-save --no-audit --no-fund
                    --fetch-retries=1 --fetch-retry-mintimeout=2000 --fetch-timeout=60000)
  if(FAILED)
    return()
  endif()
  file(WRITE ${stamp} ${wanted})
endif()
run_or_go_without("npm run build" ${NPM} run build)
if(FAILED)
  return()
endif()
run_or_go_without("packing the page" ${NODE} ${CMAKE_CURRENT_LIST_DIR}/pack_page.mjs ${WEB}/dist ${OUT})
