#!/usr/bin/env python3
"""Checks the schemas against their examples, and writes mutants for the Swift decoders to judge.

Every file schemas/examples/STEM/good-*.json must satisfy schemas/STEM.v1.json, every bad-*.json
must not. A mutant is a good example with something changed; what this side thinks of it goes into
OUT/STEM.txt, one `good BASE64` or `bad BASE64` a line, and the Swift test SchemaTests must agree.
Both sides apply the same rules that a schema cannot state: see schemas/README.md.
"""

import argparse
import base64
import copy
import json
import math
import pathlib
import random
import re
import sys

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEEPEST = 16
LONGEST_NUMBER = 128

KEYWORDS = {
    "$schema", "$id", "title", "description", "x-limit-bytes", "x-unique-keys", "type", "required", "properties",
    "items", "prefixItems", "minItems", "maxItems", "enum", "const", "pattern", "minLength",
    "maxLength",
    "minimum", "maximum", "exclusiveMinimum", "additionalProperties", "propertyNames", "if",
    "then", "else",
}

MUTATED = ("good-as-written", "good-other-order")

VALUES = [
    None, True, False, "", "text", "Text", "a b", "a\n", "-", "x" * 64, "x" * 65, "x" * 100,
    "x" * 101, "é" * 64, "é" * 65, "0123456789abcdef", "0123456789ABCDEF", "0123456789abcdef\n",
    "online", "in", "frame", "unknown", "mac-0123456789ab", "mac-0123456789aB",
    "ib-" + "0" * 32 + "-65535-65536", "ib-" + "0" * 32 + "-65535", "ib-" + "0" * 32 + "-01-1",
    [], {}, [[]], [{}], [None], ["a"], ["A"], ["a", 1], {"a": 1}, {"A": 1}, {"a": -1}, 0, 1, -1,
    0.5, 1.5, 5.0, -0.0, 1000, 1000.1, -127, -127.1, -128, 20, 20.1, 21, 1.0000000000000002,
    2**53 - 1, 2**53, 2**63, -(2**63), 10**30, 253402300799999, 253402300800000,
    253402300799999.5, 1e15, 1e300, 5e-324,
]

# Texts that stand where a value stood, because no value of Python is written so.
TEXTS = [
    "5e0", "50e-1", "1E+2", "0.5e1", "1e400", "-1e400", "1e-400", "0e99999", "1" * 128, "1" * 129,
    "0." + "3" * 126, "0." + "3" * 127, "00", "01", "-", "+1", ".5", "5.", "1e", "1e+", "0x1",
    "NaN", "Infinity", "-Infinity", "nul", "True", "'a'", '"\\u0061"', '"\\ud83d\\ude00"',
    '"\\ud83d"', '"\\ude00\\ud83d"', '"\\u00e"', '"\\x"', '"\t"', '"\x7f"', '"a', "[1,]", "[,]",
    '{"a":1,}', '{"a"}', "{1:2}", "[" * 15 + "]" * 15, "[" * 16 + "]" * 16, "[" * 17 + "]" * 17,
    '"\\ud83d\\u0061"', '"\\ud83d\\ud83d\\ude00"', "9007199254740991.4", "9007199254740992.0",
    "0.1e", "1 2", "1/**/", "-0", "-0.0", "-00", "\u00a01",
]


class Refused(Exception):
    """The text is not what our readers take for JSON."""


def number(text, kind):
    """One number as both sides read it: finite, and not absurdly long."""
    if len(text) > LONGEST_NUMBER:
        raise Refused("a number too long")
    value = kind(text)
    if not math.isfinite(value):
        raise Refused("a number too large")
    return value


class Members(dict):
    """An object of a JSON text."""

    def __init__(self, pairs):
        super().__init__(pairs)
        self.repeats = len(self) < len(pairs)


def refuse_constant(text):
    raise Refused(f"{text} is no JSON")


ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|.)")


def has_half_pair(text):
    """Whether a correct JSON text has an escape that is half a surrogate pair."""
    high = None
    for escape in ESCAPE.finditer(text):
        unit = int(escape[1], 16) if escape[1] else 0
        if high is not None:
            if escape.start() != high or not 0xDC00 <= unit <= 0xDFFF:
                return True
            high = None
        elif 0xDC00 <= unit <= 0xDFFF:
            return True
        elif 0xD800 <= unit <= 0xDBFF:
            high = escape.end()
    return high is not None


def nesting(text):
    """How deep arrays and objects are nested in a correct JSON text."""
    depth = deepest = 0
    in_string = escaped = False
    for character in text:
        if in_string:
            if escaped:
                escaped = False
            elif character == "\\":
                escaped = True
            elif character == '"':
                in_string = False
        elif character == '"':
            in_string = True
        elif character in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in "]}":
            depth -= 1
    return deepest


class Schema:
    """One schema file and the verdicts it gives."""

    def __init__(self, path):
        self.document = json.loads(path.read_text(encoding="utf-8"))
        self.stem = path.name.removesuffix(".v1.json")
        self.limit = self.document["x-limit-bytes"]
        self.unique = self.document.get("x-unique-keys", False)
        jsonschema.Draft202012Validator.check_schema(self.document)
        self.validator = jsonschema.Draft202012Validator(self.document)

    def complaint(self, payload):
        """What is wrong with a payload, or None."""
        if len(payload) > self.limit:
            return "oversize"
        try:
            text = payload.decode("utf-8")
            value = json.loads(
                text,
                parse_int=lambda text: number(text, int),
                parse_float=lambda text: number(text, float),
                parse_constant=refuse_constant,
                object_pairs_hook=Members,
            )
        except (ValueError, RecursionError, Refused) as error:
            return f"no JSON: {error}"
        if has_half_pair(text):
            return "half a surrogate pair"
        if nesting(text) > DEEPEST:
            return "too deep"
        if self.unique and isinstance(value, Members):
            if any(part.repeats for part in (value, value.get("args")) if isinstance(part, Members)):
                return "a key comes twice"
        error = next(iter(self.validator.iter_errors(value)), None)
        return error.message if error else None

    def faults(self):
        """What the file says that it may not: keywords nobody here needs are likely mistakes."""
        found = []

        def walk(node):
            found.extend(f"keyword {key}" for key in node if key not in KEYWORDS)
            for key in ("items", "additionalProperties", "propertyNames", "if", "then", "else"):
                if isinstance(node.get(key), dict):
                    walk(node[key])
            for child in node.get("properties", {}).values():
                walk(child)
            for child in node.get("prefixItems", []):
                walk(child)
            if "pattern" in node and not node["pattern"].endswith(r"(?!\n)$"):
                found.append(f"pattern {node['pattern']} lets a line feed pass in Python")

        walk(self.document)
        return found


def paths(value, path=()):
    """The path of every value inside a value."""
    yield path
    children = ()
    if isinstance(value, dict):
        children = value.items()
    elif isinstance(value, list):
        children = enumerate(value)
    for key, child in children:
        yield from paths(child, path + (key,))


def changed(value, path, change):
    """A copy of a value in which `change(container, key)` was done at a path."""
    result = copy.deepcopy(value)
    container = result
    for key in path[:-1]:
        container = container[key]
    change(container, path[-1])
    return result


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def mutants(value, limit, chance):
    """Payloads near a good one, many of them bad."""
    marker = "\ue000marker"
    quoted = compact(marker)
    for path in paths(value):
        if path:
            yield compact(changed(value, path, lambda container, key: container.pop(key)))
            slot = compact(
                changed(value, path, lambda container, key: container.__setitem__(key, marker))
            )
        else:
            slot = quoted
        for other in VALUES:
            yield slot.replace(quoted, compact(other))
        for text in TEXTS:
            yield slot.replace(quoted, text.encode("utf-8"))
        yield slot.replace(quoted, b'"\xff"')
        yield slot.replace(quoted, b'"\xed\xa0\x80"')
        yield slot.replace(quoted, b'"\xc0\x80"')
        if path and isinstance(path[-1], str):
            # A second value under the same key, plain and escaped: the last counts.
            container = value
            for key in path[:-1]:
                container = container[key]
            key, old = path[-1], container[path[-1]]
            plain = json.dumps(key)
            escaped = '"\\u%04x%s' % (ord(key[0]), plain[2:])
            whole = compact(value)
            field = compact({key: old})[1:-1]
            for bad in ("null", "[]", "-1.5"):
                for again in (plain, escaped):
                    extra = f"{again}:{bad}".encode("utf-8")
                    yield whole.replace(field, field + b"," + extra)
                    yield whole.replace(field, extra + b"," + field)
    whole = compact(value)
    for path in paths(value):
        container = value
        for key in path:
            container = container[key]
        if isinstance(container, list) and container:
            for count in (1024, 1025, 4096, 4097):
                longer = (container * count)[:count]
                if len(compact(longer)) < 2 * limit and path:
                    yield compact(
                        changed(value, path, lambda box, key: box.__setitem__(key, longer))
                    )
    if limit <= 131072:
        yield whole + b" " * (limit - len(whole))
        yield whole + b" " * (limit + 1 - len(whole))
    for space in (b" ", b"\t", b"\r\n", b"\x0b", b"\x00", b"\xc2\xa0", b"\xef\xbb\xbf"):
        yield space + whole
        yield whole + space
    for _ in range(300):
        damaged = bytearray(whole)
        for _ in range(chance.randint(1, 3)):
            place = chance.randrange(len(damaged)) if damaged else 0
            match chance.randrange(4):
                case 0:
                    damaged[place : place + 1] = bytes([chance.randrange(256)])
                case 1:
                    damaged[place:place] = bytes([chance.choice(b'"\\{}[],:0123456789.eE+-tfn \n')])
                case 2:
                    del damaged[place : place + chance.randint(1, 4)]
                case 3:
                    start = chance.randrange(len(damaged)) if damaged else 0
                    damaged[place:place] = damaged[start : start + chance.randint(1, 12)]
        yield bytes(damaged)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--root", type=pathlib.Path, default=ROOT)
    arguments.add_argument("--out", type=pathlib.Path, help="default: ROOT/.build/schema-mutants")
    arguments.add_argument("--seed", type=int, default=7)
    options = arguments.parse_args()
    out = options.out or options.root / ".build" / "schema-mutants"
    out.mkdir(parents=True, exist_ok=True)
    for old in out.glob("*.txt"):
        old.unlink()

    wrong = []
    examples_seen = mutants_seen = good_mutants = 0
    schemas = sorted((options.root / "schemas").glob("*.v1.json"))
    for path in schemas:
        schema = Schema(path)
        wrong += [f"{path.name}: {fault}" for fault in schema.faults()]
        examples = sorted((options.root / "schemas" / "examples" / schema.stem).glob("*.json"))
        counts = {"good": 0, "bad": 0}
        lines = {}
        for example in examples:
            payload = example.read_bytes()
            complaint = schema.complaint(payload)
            word = "bad" if complaint else "good"
            examples_seen += 1
            if example.name.split("-")[0] != word:
                wrong.append(f"{schema.stem}/{example.name}: is {word}: {complaint}")
                continue
            counts[word] += 1
            # A mutant of every other example would say little more and take many minutes.
            if word == "good" and example.stem in MUTATED:
                chance = random.Random(f"{options.seed}:{schema.stem}/{example.name}")
                for mutant in mutants(json.loads(payload), schema.limit, chance):
                    verdict = "bad" if schema.complaint(mutant) else "good"
                    lines[base64.b64encode(mutant).decode("ascii")] = verdict
        if counts["good"] < 2 or counts["bad"] < 5:
            wrong.append(f"{schema.stem}: too few examples: {counts}")
        mutants_seen += len(lines)
        good_mutants += sum(verdict == "good" for verdict in lines.values())
        text = "".join(f"{verdict} {mutant}\n" for mutant, verdict in lines.items())
        (out / f"{schema.stem}.txt").write_text(text, encoding="ascii")
    strays = {path.name for path in (options.root / "schemas" / "examples").iterdir()}
    strays -= {path.name.removesuffix(".v1.json") for path in schemas}
    wrong += [f"schemas/examples/{name}: no such schema" for name in sorted(strays)]

    for line in wrong:
        print(line, file=sys.stderr)
    print(
        f"{len(schemas)} schemas, {examples_seen} examples, {mutants_seen} mutants"
        f" ({good_mutants} good) in {out}"
    )
    return 1 if wrong or not schemas else 0


if __name__ == "__main__":
    sys.exit(main())
