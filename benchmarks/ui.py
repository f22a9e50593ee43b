"""What a render costs against the least it could: set_content and a screenshot on one page that is never changed.

Both draw the same pages in turn, each in a Chromium of its own with the same switches; the bare loop takes the picture
of the same height. Prints milliseconds and the ratio of each pair of renders, with the middle half of the ratios, and
the ratio of the CPU time that all processes take for it (Linux). A render also loads the document of the next.

    python benchmarks/ui.py [--rounds 30] [--json]
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from collections.abc import Callable
from typing import Any

from interactive_envs.ui2html.rendering import browser, render_worker

CARD = '<div class="card"><h3>Card {0}</h3><p>{1}</p><button>Open {0}</button></div>'
WORDS = "Sales rose in every region but one, where rain kept the markets shut for most of the week. "
HEAD = """<!doctype html><title>Benchmark</title><style>
body { font-family: Arial, sans-serif; margin: 0; color: #223 }
header { background: linear-gradient(90deg, #246, #69c); color: #fff; padding: 24px }
main { display: grid; grid-template-columns: repeat(3, 1fr); gap: 16px; padding: 24px }
.card { border: 1px solid #ccd; border-radius: 8px; padding: 16px; box-shadow: 0 2px 6px #0003 }
button { background: #246; color: #fff; border: 0; border-radius: 4px; padding: 8px 16px }
</style>"""


def page(cards: int, number: int) -> str:
    """A page with so many cards; the number makes it new."""
    body = "".join(CARD.format(card, WORDS) for card in range(cards))
    return f"{HEAD}<header><h1>Report {number}</h1></header><main>{body}</main>"


PAGES = {"small": 3, "screen": 9, "long": 45}
"""Cards of each kind of page."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    options = parser.parse_args()
    from playwright.sync_api import sync_playwright

    figures: dict[str, Any] = {}
    with browser.Browser() as ours, sync_playwright() as driver:
        chromium = driver.chromium.launch(
            executable_path=browser.find_chromium(), args=[*render_worker.FLAGS, "--no-sandbox"]
        )
        bare = chromium.new_page(viewport={"width": browser.WIDTH, "height": browser.HEIGHT})

        def alone(html: str) -> None:
            bare.set_content(html)
            bare.screenshot(full_page=True)

        for name, cards in PAGES.items():
            seconds: dict[str, list[float]] = {"render": [], "bare": []}
            used = {"render": 0.0, "bare": 0.0}
            for number in range(-3, options.rounds):
                html = page(cards, number)
                calls: list[tuple[str, Callable[[str], object]]] = [("render", ours.render), ("bare", alone)]
                for kind, call in calls if number % 2 else reversed(calls):
                    before, begun = cpu_s(), time.perf_counter()
                    call(html)
                    if number >= 0:
                        seconds[kind].append(time.perf_counter() - begun)
                        used[kind] += cpu_s() - before
            figures[name] = {**summary(seconds), "cpu": used["render"] / (used["bare"] or 1.0)}
        chromium.close()
    if options.json:
        print(json.dumps(figures))
        return
    print(f"{'page':<8}{'render ms':>10}{'bare ms':>10}{'ratio':>8}   {'middle half':<16}{'cpu':>5}")
    for name, row in figures.items():
        times = f"{row['render_ms']:>10.1f}{row['bare_ms']:>10.1f}"
        print(f"{name:<8}{times}{row['ratio']:>8.2f}   {row['low']:.2f} to {row['high']:.2f}{row['cpu']:>9.2f}")


def cpu_s() -> float:
    """CPU seconds that this process and all below it have used."""
    return browser.process_usage(os.getpid())[0]


def summary(seconds: dict[str, list[float]]) -> dict[str, float]:
    """Medians, and quartiles of the pairs' ratios."""
    ratios = [ours / bare for ours, bare in zip(seconds["render"], seconds["bare"], strict=True)]
    low, middle, high = statistics.quantiles(ratios, n=4)
    return {
        "render_ms": 1000 * statistics.median(seconds["render"]),
        "bare_ms": 1000 * statistics.median(seconds["bare"]),
        "ratio": middle,
        "low": low,
        "high": high,
    }


if __name__ == "__main__":
    main()
