// Options of models, training and data as JSON texts, by group: what Python's keyword arguments become.
#pragma once

#include <map>
#include <string>

#include "geniepath/run.h"

namespace geniepath::python {

// "model", "train", "walk", "transforms", "data", "tables", each with a JSON object of the options given.
using OptionTexts = std::map<std::string, std::string>;

// All options with their defaults.
OptionTexts default_options();

// Sets the options given; an Error names an unknown one or a value out of bounds.
RunRequest request_of(const OptionTexts& given);

}  // namespace geniepath::python
