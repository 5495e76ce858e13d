// The secret that clients must send: `Authorization: Bearer TOKEN`.
#pragma once

#include <string>
#include <string_view>

#include "serve/server.h"

namespace geniepath::serve {

// The token from --token, --token-file or else `environment` (null if the variable is unset); "" if none is given.
// An Error if it is too short or has characters that a header cannot carry.
std::string token_of(const ServeOptions& options, const char* environment);

// `authorization` is the header's value. An ApiError (401), which never repeats the input, unless it has the token.
void check_token(std::string_view authorization, std::string_view token);

}  // namespace geniepath::serve
