# Installation for other projects (examples/consumer): find_package(geniepath) and `pkg-config geniepath`.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS geniepath EXPORT geniepathTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS geniepath_launcher RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS geniepath_cli RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/geniepath)
if(GENIEPATH_STAND_INS)
  install(DIRECTORY ${GENIEPATH_STAND_INS} DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/geniepath)
endif()
install(DIRECTORY configs DESTINATION ${CMAKE_INSTALL_DATADIR}/geniepath)
install(DIRECTORY include/geniepath DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT geniepathTargets NAMESPACE geniepath:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/geniepath)
configure_package_config_file(cmake/geniepathConfig.cmake.in ${PROJECT_BINARY_DIR}/geniepathConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/geniepath)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/geniepathConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/geniepathConfig.cmake ${PROJECT_BINARY_DIR}/geniepathConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/geniepath)

# pkg-config file. Its paths are relative, so that the installed tree can be moved.
set(pc_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH GENIEPATH_PREFIX_FROM_PC /${pc_folder} /)
get_target_property(torch_location torch_cpu LOCATION)
get_filename_component(GENIEPATH_TORCH_LIBDIR ${torch_location} DIRECTORY)
set(torch_includes ${TORCH_INCLUDE_DIRS})
list(REMOVE_ITEM torch_includes ${CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES})  # if named, searched in the wrong order
list(TRANSFORM torch_includes PREPEND "-isystem ")
list(JOIN torch_includes " " GENIEPATH_TORCH_CFLAGS)
string(APPEND GENIEPATH_TORCH_CFLAGS " ${TORCH_CXX_FLAGS}")
configure_file(cmake/geniepath.pc.in ${PROJECT_BINARY_DIR}/geniepath.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/geniepath.pc DESTINATION ${pc_folder})

# Manual pages and completion scripts, which the program makes from its own option tables.
set(made ${PROJECT_BINARY_DIR}/share)
install(CODE "
  set(program \"$<TARGET_FILE:geniepath_cli>\")
  file(MAKE_DIRECTORY \"${made}\")
  execute_process(COMMAND \"\${program}\" manual --out \"${made}/man1\" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  foreach(shell bash zsh fish)
    execute_process(COMMAND \"\${program}\" completion \${shell} OUTPUT_FILE \"${made}/\${shell}\" COMMAND_ERROR_IS_FATAL ANY)
  endforeach()")
install(DIRECTORY ${made}/man1/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${made}/bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME geniepath)
install(FILES ${made}/zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _geniepath)
install(FILES ${made}/fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d RENAME geniepath.fish)
