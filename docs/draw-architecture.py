#!/usr/bin/env python3
"""Draws docs/architecture.svg from Package.swift: one box a target, one row a layer.

usage: docs/draw-architecture.py [--check]

A box lists the targets that it depends on, and the libraries of others in italics.
Same Package.swift, same bytes. --check draws nothing and ends with 1 if the picture is stale.
"""
import re
import sys
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs" / "architecture.svg"
LAYERS = ["Programs", "Lab", "Tools", "Services", "Business", "Shells", "Core"]
COLOURS = {
    "Programs": "#e8e8e8", "Lab": "#ece0f0", "Tools": "#f3e6d3", "Services": "#d9e7f5",
    "Business": "#e3efd9", "Shells": "#f6dede", "Core": "#fff6c9",
}
TARGET = re.compile(
    r'\.(?:target|executableTarget)\(\s*name: "([^"]+)"(.*?)'
    r'path:\s*"Sources/(\w+)/[^"]+"', re.S)
COLUMNS, WIDTH, LINE, MARGIN, LABEL = 5, 236, 14, 10, 84
TEXT = 36  # Characters in a line of a box.


def targets(manifest):
    """The targets of Sources: (layer, name, ours, others), in the order of the manifest."""
    found = []
    for name, body, layer in TARGET.findall(manifest):
        others = re.findall(r'\.product\(\s*name: "([^"]+)"', body)
        plain = re.sub(r'\.product\([^)]*\)', "", body)
        found.append((layer, name, re.findall(r'"([^"]+)"', plain), others))
    ours = {name for _, name, _, _ in found}
    return [
        (layer, name, [d for d in needs if d in ours],
         [d for d in needs if d not in ours] + others)
        for layer, name, needs, others in found
    ]


def wrapped(words):
    """Words joined with commas, in lines of at most TEXT characters."""
    lines = []
    for word in words:
        if lines and len(lines[-1]) + len(word) + 2 <= TEXT:
            lines[-1] += ", " + word
        else:
            lines.append(word)
    return lines


def drawn(found):
    parts, y = [], MARGIN
    for layer in LAYERS:
        boxes = [t for t in found if t[0] == layer]
        top = y
        for start in range(0, len(boxes), COLUMNS):
            row = [
                (name, wrapped(ours), wrapped(others))
                for _, name, ours, others in boxes[start:start + COLUMNS]
            ]
            height = max(len(a) + len(b) for _, a, b in row) * LINE + 30
            for column, (name, ours, others) in enumerate(row):
                x = LABEL + MARGIN + column * (WIDTH + MARGIN)
                parts.append(
                    f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{height}" rx="4" '
                    f'fill="{COLOURS[layer]}" stroke="#555"/>')
                parts.append(
                    f'<text x="{x + 8}" y="{y + 18}" font-weight="bold" font-size="13">'
                    f'{escape(name)}</text>')
                lines = [(line, "normal") for line in ours]
                lines += [(line, "italic") for line in others]
                for index, (line, style) in enumerate(lines):
                    parts.append(
                        f'<text x="{x + 8}" y="{y + 36 + index * LINE}" font-size="11" '
                        f'font-style="{style}">{escape(line)}</text>')
            y += height + MARGIN
        parts.append(
            f'<text x="{MARGIN}" y="{(top + y) // 2}" font-size="14">{escape(layer)}</text>')
        parts.append(
            f'<line x1="{MARGIN}" y1="{y}" x2="{LABEL + COLUMNS * (WIDTH + MARGIN)}" y2="{y}" '
            'stroke="#ccc"/>')
        y += MARGIN
    width = LABEL + MARGIN + COLUMNS * (WIDTH + MARGIN)
    return "\n".join(
        [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {y}" width="{width}" '
         f'height="{y}" font-family="sans-serif" fill="#111">',
         "<title>Targets by layer, and what each depends on</title>",
         f'<rect width="{width}" height="{y}" fill="#fff"/>'] + parts + ["</svg>", ""])


def main():
    picture = drawn(targets((ROOT / "Package.swift").read_text(encoding="utf-8")))
    if sys.argv[1:] == ["--check"]:
        sys.exit(0 if PICTURE.read_text(encoding="utf-8") == picture else 1)
    if sys.argv[1:]:
        sys.exit(__doc__)
    PICTURE.write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
