# Build step of cmake/page.cmake: installs the packages, builds the page and packs it into a source file. If a step
# fails, e.g. because the packages cannot be downloaded, the program is built without the page, with a warning.
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
  # Not `npm ci`, which refuses a lock file without the optional packages of other platforms.
  # Short timeouts, in case the registry cannot be reached.
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
