#!/usr/bin/env python3
"""Writes tables to train on, with 20,000 nodes, and new rows to score: one in one.csv, 100,000 in many.csv, with three
edges each. Random, with a fixed seed.

    bench/data/score_tables.py FOLDER
"""
import os
import random
import sys

NODES, EDGES, NEW, NUMBERS = 20_000, 60_000, 100_000, 8
CITIES = ("Rome", "Oslo", "Lima", "Cairo")
HEADING = "id," + ",".join(f"x{k}" for k in range(NUMBERS)) + ",city"


def row(node, rng):
    return [f"c{node}", *(f"{rng.gauss(0, 1):.4f}" for _ in range(NUMBERS)), rng.choice(CITIES)]


def write(folder, name, heading, rows):
    with open(os.path.join(folder, name), "w") as out:
        out.write(heading + "\n")
        out.writelines(",".join(cells) + "\n" for cells in rows)


def labelled(rows, rng):
    for cells in rows:
        yield cells + ["bad" if float(cells[1]) + rng.gauss(0, 0.5) > 1 else "good"]


def edges_of(nodes, rng):
    return ((f"c{node}", f"c{rng.randrange(NODES)}") for node in nodes for _ in range(3))


def main(folder):
    rng = random.Random(1)
    os.makedirs(folder, exist_ok=True)
    write(folder, "nodes.csv", HEADING + ",label", labelled((row(n, rng) for n in range(NODES)), rng))
    write(folder, "edges.csv", "src,dst", edges_of(range(EDGES // 3), rng))
    for name, count in (("one", 1), ("many", NEW)):
        write(folder, f"{name}.csv", HEADING, (row(n, rng) for n in range(NODES, NODES + count)))
        write(folder, f"{name}_edges.csv", "src,dst", edges_of(range(NODES, NODES + count), rng))


main(sys.argv[1])
