// Our own format: a whole Dataset as one memory-mapped safetensors file.
//
//   metadata "geniepath"    JSON: format, version, name, task, metric, classes, inductive, nodes, feature-columns
//   in_offset, in_neighbour I64 [N+1], I32 [E]: row i lists the sources of the edges into i, ascending
//   part_begin              I32 [parts+1]: where each graph of a disjoint union begins
//   features                F32 [N, P], or sparse: feature_offset I64 [N+1], feature_column I32, feature_value F32
//   labels                  I64 [N], or F32 [N, L] for a multi-label task
//   train, valid, test      I32: node ids
//   node_type               U8 [N]; missing: one kind of node
//   true_source, true_target I32: ends of the edges that carry labels, ascending; missing: unknown
//   path_length             U8 [N]: steps from a node to where its label lies; missing: unknown
//   {node,class,type,feature}_name_offset I64, _bytes U8: concatenated names; missing: no names
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "geniepath/data.h"
#include "geniepath/dataset.h"
#include "io/safetensors.h"

namespace geniepath {

// Graph, features and labels are views of the mapped file: do not write to them. Every value that a kernel indexes with
// is checked here, so a damaged or hostile file is an Error, never a wild read. The checksum detects damage; files
// written before it was introduced have none and are read all the same.
Dataset read_graph_file(const std::filesystem::path& path, Checksums checksums = Checksums::kVerify);

// Names of the features of a graph file; none if it has none.
std::vector<std::string> read_feature_names(const std::filesystem::path& path);

}  // namespace geniepath
