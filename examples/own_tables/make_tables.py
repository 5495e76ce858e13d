#!/usr/bin/env python3
"""Generates the tables of this example: accounts that log in from devices. Malicious accounts are run from a few shared
devices and are somewhat more active; their own numbers overlap with those of normal accounts, so only the devices they
share give them away.

    ./make_tables.py [FOLDER]
"""
import csv
import os
import random
import sys

NORMAL, GANGS, ACCOUNTS_A_GANG, DEVICES_A_GANG = 240, 10, 6, 2


def gaussian(rng, mean, deviation):
    return round(rng.gauss(mean, deviation), 3)


def account_row(rng, name, malicious):
    split = rng.choices(("train", "valid", "test"), (5, 2, 3))[0]
    return {
        "id": name,
        "age_days": max(1, round(rng.gauss(90 if malicious else 140, 60))),
        "logins": max(0, round(rng.gauss(14 if malicious else 10, 6))),
        "night_share": min(1, max(0, gaussian(rng, 0.42 if malicious else 0.35, 0.15))),
        "country": rng.choice(("de", "fr", "it")),
        "label": "malicious" if malicious else "normal",
        "split": split,
    }


def device_row(rng, name, shared):
    system = rng.choice((0, 1, 2))
    return {"id": name, "features": f"{system}:1 3:{gaussian(rng, 2.2 if shared else 1.8, 1)}"}


def make(rng):
    accounts, devices, edges = [], [], []
    for n in range(NORMAL):
        accounts.append(account_row(rng, f"a{n:03d}", False))
        devices.append(device_row(rng, f"d{n:03d}", False))
        edges.append((f"a{n:03d}", f"d{n:03d}"))
        if rng.random() < 0.4:  # a family or an office
            edges.append((f"a{n:03d}", f"d{rng.randrange(n + 1):03d}"))
    for gang in range(GANGS):
        tools = [f"x{gang:02d}{t}" for t in range(DEVICES_A_GANG)]
        devices += [device_row(rng, tool, True) for tool in tools]
        for n in range(ACCOUNTS_A_GANG):
            name = f"m{gang:02d}{n}"
            accounts.append(account_row(rng, name, True))
            edges += [(name, tool) for tool in tools]
            if rng.random() < 0.3:  # hides behind a normal device
                edges.append((name, f"d{rng.randrange(NORMAL):03d}"))
    rng.shuffle(accounts)
    return accounts, devices, [{"account": a, "device": d} for a, d in dict.fromkeys(edges)]


def write(path, rows):
    with open(path, "w", newline="") as out:
        table = csv.DictWriter(out, fieldnames=list(rows[0]), lineterminator="\n")
        table.writeheader()
        table.writerows(rows)


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    accounts, devices, edges = make(random.Random(2019))
    write(os.path.join(folder, "accounts.csv"), accounts)
    write(os.path.join(folder, "devices.csv"), devices)
    write(os.path.join(folder, "edges.csv"), edges)


if __name__ == "__main__":
    main()
