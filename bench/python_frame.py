"""What it costs to hand a data frame to the library: CPU seconds and memory, beside the same data in files.

    PYTHONPATH=build/python python3 bench/python_frame.py [--nodes 1000000] [--edges 5000000] [--features 16] [--rounds 5]

CPU seconds. frame: from the data frame until it is a graph file in the run's folder. open: that file, opened as the program opens
it. tables: the same data from CSV files, with --tables.
Seconds until the first epoch begins (one layer of 8 units): frame: of geniepath.train on the frame; file: on that graph file.
The two take turns, and turns at being first; medians are printed. What a round wrote is removed after it: otherwise every round
takes memory for its file that the system never used before, which a virtual machine has to get first. Memory is anonymous memory
beyond that of the frame itself: at its peak, and when the training would begin.
"""

import argparse
import json
import pathlib
import shutil
import statistics
import tempfile
import threading
import time

import numpy as np
import pandas

import geniepath
from geniepath import _core, _run_data


def anonymous_mib() -> float:
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("RssAnon")) / 1024


class Peak:
    """The most anonymous memory while it is open, beyond that at its beginning."""

    def __enter__(self) -> "Peak":
        self.before = self.most = anonymous_mib()
        self.done = threading.Event()
        self.watch = threading.Thread(target=self.look)
        self.watch.start()
        return self

    def look(self) -> None:
        while not self.done.wait(0.005):
            self.most = max(self.most, anonymous_mib())

    def __exit__(self, *_: object) -> None:
        self.done.set()
        self.watch.join()
        self.peak, self.after = self.most - self.before, anonymous_mib() - self.before


def frames(nodes: int, edges: int, features: int) -> tuple[pandas.DataFrame, pandas.DataFrame]:
    draw = np.random.default_rng(1)
    table = pandas.DataFrame({f"f{column}": draw.normal(size=nodes) for column in range(features)})
    table["label"] = draw.integers(0, 2, nodes)
    return pandas.DataFrame({"src": draw.integers(0, nodes, edges), "dst": draw.integers(0, nodes, edges)}), table


def cpu_seconds(work) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


def opened(**data: object) -> None:
    _core.read_data({group: json.dumps(options) for group, options in data.items()})


def seconds_until_training(out: pathlib.Path, *data: pandas.DataFrame, **options: object) -> float:
    begun, ended = time.perf_counter(), []
    geniepath.train(*data, **options, out=out, model="gcn", hidden=8, depth=1, epochs=1, progress=False,
                    on_epoch=lambda *_: ended.append(time.perf_counter()))
    epoch = json.loads((out / "metrics.jsonl").read_text())["seconds"]
    shutil.rmtree(out)
    return ended[0] - begun - epoch


def until_training(
    place: pathlib.Path, edges: pandas.DataFrame, nodes: pandas.DataFrame, file: pathlib.Path, rounds: int
) -> dict[str, list[float]]:
    """Each is the first of every second round: what comes first also finds memory in another state."""
    prepared = {"data": str(file), "feature_transform": "standardise"}  # as frames are
    forms = {"frame": ((edges, nodes), {}), "file": ((), prepared)}
    waits: dict[str, list[float]] = {name: [] for name in forms}
    for number in range(rounds):
        for name in list(forms) if number % 2 == 0 else reversed(forms):
            data, options = forms[name]
            waits[name].append(seconds_until_training(place / f"{name}{number}", *data, **options))
    return waits


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, value in (("nodes", 1_000_000), ("edges", 5_000_000), ("features", 16), ("rounds", 5)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--tables", action="store_true", help="also from CSV files, which takes much longer to write")
    given = parser.parse_args()
    edges, nodes = frames(given.nodes, given.edges, given.features)
    forms = {"label": "label", "split": None, "id": "id", "ignore": (), "positive": None}
    times: dict[str, list[float]] = {"frame": [], "open": []}
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        if given.tables:
            times["tables"] = []
            edges.to_csv(place / "edges.csv", index=False)
            nodes.rename_axis("id").to_csv(place / "nodes.csv")
        for number in range(given.rounds):
            out = place / f"run{number}"
            with Peak() as memory:
                written = lambda: _run_data.write_graph(out, False, False, edges, nodes, forms, None)[1]  # noqa: E731
                times["frame"].append(cpu_seconds(lambda: written().finish()))
            file = out / "data.safetensors"
            times["open"].append(cpu_seconds(lambda: opened(data={"data": str(file)})))
            if given.tables:
                tables = {"edges": str(place / "edges.csv"), "nodes": str(place / "nodes.csv")}
                times["tables"].append(cpu_seconds(lambda: opened(data={"data": "tables"}, tables=tables)))
        waits = until_training(place, edges, nodes, file, given.rounds)
        size = file.stat().st_size / 2**20
    medians = [{name: round(statistics.median(values), 3) for name, values in found.items()} for found in (times, waits)]
    print(json.dumps({"nodes": given.nodes, "edges": given.edges, "features": given.features, "cpu_seconds": medians[0],
                      "seconds_until_training": medians[1],
                      "features_mib": round(4 * given.nodes * given.features / 2**20, 1), "file_mib": round(size, 1),
                      "peak_mib": round(memory.peak, 1), "kept_mib": round(memory.after, 1), "version": geniepath.__version__}))


if __name__ == "__main__":
    main()
