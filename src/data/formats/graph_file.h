// Our own file: a whole Dataset as one safetensors file, opened by mapping it.
//
//   metadata "geniepath"    JSON: format, version, name, task, metric, classes, inductive, nodes, feature-columns
//   in_offset, in_neighbour I64 [N+1], I32 [E]: row i lists the sources of the edges into i, ascending
//   part_begin              I32 [parts+1]: where each graph of a disjoint union begins
//   features                F32 [N, P], or sparse: feature_offset I64 [N+1], feature_column I32, feature_value F32
//   labels                  I64 [N], or F32 [N, L] for a multi-label task
//   train, valid, test      I32: node ids
//   node_type               U8 [N]; absent: one kind of node
//   {node,class,type}_name_offset I64, _bytes U8: lists of names, one after the other; absent: no names
#pragma once

#include <filesystem>

#include "geniepath/dataset.h"
#include "io/safetensors.h"

namespace geniepath {

// The data set is validated first: what can be written can be read again.
void write_graph_file(const std::filesystem::path& path, const Dataset& data);

// The graph, the features and the labels are windows into the mapped file: do not write into them. Everything a kernel
// would index with is checked here, so a damaged or hostile file is an Error, never a wild read. The checksum tells
// damage from data; a file of geniepath before it was kept has none and is read all the same.
Dataset read_graph_file(const std::filesystem::path& path, Checksums checksums = Checksums::kVerify);

}  // namespace geniepath
