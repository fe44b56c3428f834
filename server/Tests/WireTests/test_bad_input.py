"""Every field of every operation, as the description names them, with what should not be in it. What breaks the
description is refused by a problem that names the field; what does not may be refused, but never by a fault."""

import json

import requests

from conftest import mainly_on
from described import at, path_of, put, twice

DEEP = 5000
# Each is fine as far as its type goes, and each has broken something somewhere.
STRANGE = [
    "\0", "\x07\x1b[31m", "\u202eevil\u202c", "\u200f", "\U0001f469\u200d\U0001f469\u200d\U0001f467" * 20, "e\u0301" * 100,
    "a" + "\u0316" * 300, "\ufffe", "\ufeff", " ", "' OR 1=1; --", "'; DROP TABLE clips; --",
    "\\' \" ` $1 ? ?1 :a @b %(c)s", "%_", "*/ /* -- #", "%s%n", "<script>", "../../etc/passwd", "${jndi:ldap://x}", "\u2028", "\U0001d54f" * 100, "",
]


@mainly_on("postgresql")
def test_a_field_of_a_body_that_is_wrong_is_named(asking):
    count = 0
    for path, method, operation, media, schema in asking.bodies():
        sample = asking.table.sample(schema)

        def send(text, what, field=None):
            asking.ask(path, method, operation, what, field, data=text.encode(), headers={"Content-Type": media})

        for text in ("", "{", "nonsense", "\0", "[]", "7", "null", '"x"', "[" * DEEP, '{"a":' * DEEP):
            send(text, f"body {text[:20]!r}")
        for place, value, is_required in asking.table.places(schema):
            name = path_of(place)
            for wrong in asking.table.wrong(value):
                send(json.dumps(put(sample, place, wrong)), f"{name} = {str(wrong)[:40]!r}", name)
                count += 1
            if is_required:
                without = put(sample, place, None)
                del at(without, place[:-1])[place[-1]]
                send(json.dumps(without), f"no {name}", name)
            if isinstance(place[-1], str):
                send(twice(sample, place), f"{name} twice", name)
            mark = json.dumps("a deep one")
            deep = json.dumps(put(sample, place, "a deep one")).replace(mark, "[" * DEEP + "]" * DEEP)
            send(deep, f"{name} of {DEEP} lists", place[0])
            if "string" in asking.table.types(asking.table.resolved(value)):
                for strange in STRANGE:
                    for ascii_only in (True, False):
                        send(json.dumps(put(sample, place, strange), ensure_ascii=ascii_only),
                             f"{name} = {strange[:20]!r}")
    assert not asking.faults, "\n".join(asking.faults)
    assert count > 50


@mainly_on("sqlite")
def test_a_parameter_that_is_wrong_is_named(asking):
    for path, method, operation in asking.table.operations():
        for parameter in operation.get("parameters", []):
            name, place = parameter["name"], parameter["in"]
            schema = asking.table.resolved(parameter["schema"])
            values = [(strange, None) for strange in STRANGE]
            if "integer" in asking.table.types(schema):
                values = [(text, name) for text in ["x", "1.5", "-1", "9" * 30, "+1", "٣", "0x1", "1e3", " "]]
                values += [(str(schema["maximum"] + 1), name)]
            elif "enum" in schema:
                values = [(text, name) for text in ["x", schema["enum"][0] + "x", "?2"]]
            elif "maxLength" in schema:
                values += [("x" * (schema["maxLength"] + 1), name)]
            others = {one["name"]: asking.table.sample(one["schema"]) for one in operation["parameters"]
                      if one["in"] == "query" and one["required"]}
            for value, field in values:
                what = f"{name} = {value[:30]!r}"
                if place == "query":
                    asking.ask(path, method, operation, what, field, params=others | {name: value})
                elif place == "header" and value.isascii() and value.isprintable() and value.strip() == value:
                    asking.ask(path, method, operation, what, field, headers={name: value, "Content-Length": "0"})
                elif place == "path" and value.strip("."):
                    asking.ask(path.replace(f"{{{name}}}", requests.utils.quote(value, safe="")), method, operation, what)
    assert not asking.faults, "\n".join(asking.faults)


# No UTF-8: alone, cut off, a slash in two bytes, half of a pair, beyond the last character.
BYTES = [b"\xff\xfe", b"a\xe2\x82", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80"]
# The same as JSON may have it.
HALVES = [b"\\ud800", b"\\udc00a", b"\\ud800\\u0000"]


def test_bytes_that_are_no_text_are_no_fault(asking):
    for path, method, operation, media, schema in asking.bodies():
        sample = asking.table.sample(schema)
        for place, value, _ in asking.table.places(schema):
            if "string" not in asking.table.types(asking.table.resolved(value)):
                continue
            whole = json.dumps(put(sample, place, "a mark")).encode()
            for wrong in BYTES + HALVES:
                body = whole.replace(b"a mark", wrong)
                asking.ask(path, method, operation, f"{path_of(place)} = {wrong}", data=body, headers={"Content-Type": media})
    for path, method, operation in asking.table.operations():
        for parameter in operation.get("parameters", []):
            name, place = parameter["name"], parameter["in"]
            for wrong in BYTES:
                quoted = requests.utils.quote(wrong)
                if place == "path":
                    asking.ask(path.replace(f"{{{name}}}", quoted), method, operation, f"{name} = {quoted}")
                elif place == "query":
                    asking.ask(f"{path}?{name}={quoted}", method, operation, f"{name} = {quoted}")
                elif place == "header":
                    headers = {name: wrong, "Content-Length": "0"}
                    asking.ask(path, method, operation, f"{name} = {quoted}", headers=headers)
    assert not asking.faults, "\n".join(asking.faults)
