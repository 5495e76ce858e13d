// The secret that lets a client ask: `Authorization: Bearer TOKEN`.
#pragma once

#include <string>
#include <string_view>

#include "serve/server.h"

namespace geniepath::serve {

// The token of --token, --token-file or else `environment` (null where the variable is not set); "" where none is given.
// An Error where it could be guessed or does not fit a header.
std::string token_of(const ServeOptions& options, const char* environment);

// `authorization` is the header's value. An ApiError (401) unless it holds the token; it never repeats what was sent.
void check_token(std::string_view authorization, std::string_view token);

}  // namespace geniepath::serve
