// EXPECT_REFUSED(call, 422, "part of what was expected"): the call throws an ApiError with that status and text.
#pragma once

#include <gtest/gtest.h>

#include "serve/api_error.h"

#define EXPECT_REFUSED(call, code, part)                                                              \
  do {                                                                                                \
    try {                                                                                             \
      static_cast<void>(call);                                                                        \
      ADD_FAILURE() << #call " threw nothing, expected: " << (part);                                  \
    } catch (const geniepath::serve::ApiError& error) {                                               \
      EXPECT_EQ(error.status, code) << error.message;                                                 \
      const std::string said = error.message + " | " + error.expected + " | " + error.found;          \
      EXPECT_NE(said.find(part), std::string::npos) << said;                                          \
    }                                                                                                 \
  } while (false)
