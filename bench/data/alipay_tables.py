#!/usr/bin/env python3
"""Writes tables of the shape of the paper's Alipay data set (which is private): 981,748 nodes, 2,308,614 edges,
4,000 features with 30 non-zeros per row in a sparse column, two classes, a split. Random, with a fixed seed.

    bench/data/alipay_tables.py FOLDER [--gzip] [--scale 0.01]
"""
import argparse
import gzip
import os
import random

NODES, EDGES, FEATURES, NONZEROS = 981_748, 2_308_614, 4_000, 30


def opened(path, compress):
    return gzip.open(path + ".gz", "wt", compresslevel=6) if compress else open(path, "w")


def write_nodes(out, nodes, rng):
    values = [f"{v / 1000:g}" for v in range(1, 1000)]
    out.write("id,label,split,features\n")
    for node in range(nodes):
        pairs = " ".join(f"{i}:{rng.choice(values)}" for i in sorted(rng.sample(range(FEATURES), NONZEROS)))
        label = 1 if rng.random() < 0.02 else 0
        split = rng.choices(("train", "valid", "test"), (5, 1, 4))[0]
        out.write(f"2088{node * 7919 % 1_000_000_007:010d},{label},{split},{pairs}\n")


def write_edges(out, nodes, edges, rng):
    out.write("src,dst\n")
    name = lambda node: f"2088{node * 7919 % 1_000_000_007:010d}"
    for _ in range(edges):
        out.write(f"{name(rng.randrange(nodes))},{name(rng.randrange(nodes))}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--gzip", action="store_true", help="write .csv.gz")
    parser.add_argument("--scale", type=float, default=1.0, help="fraction of the nodes and edges to write")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    rng = random.Random(1)
    nodes, edges = int(NODES * options.scale), int(EDGES * options.scale)
    with opened(os.path.join(options.folder, "nodes.csv"), options.gzip) as out:
        write_nodes(out, nodes, rng)
    with opened(os.path.join(options.folder, "edges.csv"), options.gzip) as out:
        write_edges(out, nodes, edges, rng)


if __name__ == "__main__":
    main()
