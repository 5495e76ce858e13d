# `cmake --install` gives find_package(geniepath) to other projects; examples/consumer uses it.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS geniepath geniepath_kernels EXPORT geniepathTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS geniepath_launcher RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS geniepath_cli RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/geniepath)
install(DIRECTORY configs DESTINATION ${CMAKE_INSTALL_DATADIR}/geniepath)
install(DIRECTORY include/geniepath DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT geniepathTargets NAMESPACE geniepath:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/geniepath)
configure_package_config_file(cmake/geniepathConfig.cmake.in ${PROJECT_BINARY_DIR}/geniepathConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/geniepath)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/geniepathConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/geniepathConfig.cmake ${PROJECT_BINARY_DIR}/geniepathConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/geniepath)
