#!/usr/bin/env python3
"""Nights of two builds of tripkpi, in pairs: 5,000 records into a store of ten million trips, with all that is published.

    night_pair.py --before OTHER/tripkpi [--tripkpi .build/release/tripkpi] [--rows 10000000] [--nights 5] [--folder DIR]

Each build has a store of its own, made from the same export. They take turns, the first of a pair changing. Prints a table
in Markdown: wall and CPU seconds and peak MiB of each night, and the medians of the ratios. Needs 8 GB by default.
"""
import statistics

from night import Site, prepared


def main():
    options, folder, base, nights = prepared(__doc__, "--before")
    sites = {name: Site(folder / name, program)
             for name, program in (("before", options.before), ("after", options.tripkpi))}
    for site in sites.values():
        site.receive(base)
        site.run()
    print("| night | build | wall s | CPU s | peak MiB |\n|---|---|---|---|---|")
    ratios = []
    for number, night in enumerate(nights):
        found = {}
        for name in ("before", "after") if number % 2 == 0 else ("after", "before"):
            site = sites[name]
            site.night += 1
            site.receive(night)
            found[name] = site.run()
            print(f"| {number + 1} | {name} | {found[name][0]:.2f} | {found[name][1]:.2f} | {found[name][2]:.0f} |", flush=True)
        ratios.append([after / before for before, after in zip(found["before"], found["after"])])
    print("after / before, medians: wall {:.2f}, CPU {:.2f}, peak {:.2f}".format(
        *(statistics.median(column) for column in zip(*ratios))))


if __name__ == "__main__":
    main()
