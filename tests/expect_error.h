// EXPECT_ERROR(call, "part of the message"): the call throws a geniepath::Error whose message contains this.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "geniepath/error.h"

#define EXPECT_ERROR(call, part)                                                                             \
  do {                                                                                                       \
    try {                                                                                                    \
      static_cast<void>(call);                                                                               \
      ADD_FAILURE() << #call " threw nothing, expected: " << (part);                                         \
    } catch (const geniepath::Error& error) {                                                                \
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << "the message is: " << error.what(); \
    }                                                                                                        \
  } while (false)
