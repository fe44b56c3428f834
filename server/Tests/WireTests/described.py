"""The operations of an OpenAPI document, and requests that break it on purpose."""

import copy
import itertools
import json
import re
import time

import requests

NUMBER = itertools.count(1)
# One of each type of JSON.
OF_TYPE = {
    "string": "x", "integer": 7, "number": 1.5, "boolean": True, "array": [], "object": {}, "null": None,
}


class Table:
    """The operations of a document, with what is wrong for each place."""

    def __init__(self, document):
        self.document = document

    def resolved(self, schema):
        while "$ref" in schema:
            found = self.document
            for name in schema["$ref"].split("/")[1:]:
                found = found[name]
            schema = found
        for form in schema.get("anyOf", []):
            if form.get("type") != "null":
                return self.resolved(form) | {"nullable": True}
        return schema

    def types(self, schema):
        types = schema.get("type", "object")
        types = set(types if isinstance(types, list) else [types])
        return types | ({"null"} if schema.get("nullable") else set()) | ({"integer"} if "number" in types else set())

    def operations(self):
        for path, methods in self.document["paths"].items():
            for method, operation in methods.items():
                yield path, method.upper(), operation

    def sample(self, schema):
        schema = self.resolved(schema)
        if "enum" in schema:
            return schema["enum"][0]
        types = self.types(schema)
        if "object" in types:
            return {name: self.sample(value) for name, value in schema.get("properties", {}).items()}
        if "array" in types:
            return [self.sample(schema["items"])]
        if "integer" in types:
            return schema.get("minimum", 1)
        if "boolean" in types:
            return True
        if schema.get("format") == "date-time":
            return "2026-01-31T12:00:00Z"
        if pattern := schema.get("pattern"):
            first, least = re.match(r"\^\[(.).*\]\{(\d+)", pattern).groups()
            return first * max(int(least), 1)
        return "x" * max(schema.get("minLength", 1), 1)

    def places(self, schema, path=()):
        """Every property, and every property and item in it."""
        schema = self.resolved(schema)
        for name, value in schema.get("properties", {}).items():
            yield (*path, name), value, name in schema.get("required", [])
            yield from self.places(value, (*path, name))
        if "items" in schema:
            yield (*path, 0), schema["items"], False
            yield from self.places(schema["items"], (*path, 0))

    def wrong(self, schema):
        schema = self.resolved(schema)
        types = self.types(schema)
        for name, value in OF_TYPE.items():
            if name not in types:
                yield value
        if "enum" in schema:
            yield from ["no-such-value", "", schema["enum"][0].upper() + "\0"]
        elif "string" in types:
            if "maxLength" in schema:
                yield "x" * (schema["maxLength"] + 1)
            if schema.get("minLength"):
                yield ""
            if "pattern" in schema:
                yield from ["ü", "\0", "‮"]
        if "integer" in types:
            yield from [1.5, 2**63, -(2**63) - 1, 1e300]
            yield from [schema[name] + step for name, step in (("minimum", -1), ("maximum", 1)) if name in schema]
        if "array" in types and "maxItems" in schema:
            yield [self.sample(schema["items"])] * (schema["maxItems"] + 1)


def path_of(place):
    """As problems name it: `details.tags[0]`."""
    text = ""
    for name in place:
        text += f"[{name}]" if isinstance(name, int) else f".{name}" if text else name
    return text


def put(body, path, value):
    body = copy.deepcopy(body)
    place = body
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = value
    return body


def twice(body, path):
    """The text of a body in which this member is there two times."""
    mark = "a member of its own"
    name, value = json.dumps(path[-1]), json.dumps(at(body, path))
    return json.dumps(put(body, path, mark)).replace(
        f"{name}: {json.dumps(mark)}", f"{name}: {value}, {name}: {value}")


def at(body, path):
    for name in path:
        body = body[name]
    return body


class Asking:
    def __init__(self, server, document):
        self.server = server
        self.table = Table(document)
        self.faults = []

    def address(self, path):
        clip = self.server.clips[0]
        for name, value in {"{id}": self.server.upload if "/uploads/" in path else clip, "{language}": "en"}.items():
            path = path.replace(name, value)
        return self.server.url + re.sub(r"\{\w+\}", clip, path)

    def ask(self, path, method, operation, what, field=None, **more):
        """`field`: what must be named. None: anything but a fault will do."""
        number = next(NUMBER)
        headers = {
            "Idempotency-Key": f"a-key-of-number-{number}", "X-No-Interim": "1",
            "X-Forwarded-For": f"10.1.{number >> 8 & 255}.{number & 255}",
        } | more.pop("headers", {})
        if {} not in operation["security"]:
            # In turns: one account alone would come too often.
            headers["Authorization"] = f"Bearer {self.server.tokens[number % len(self.server.tokens)]}"
        answer = self.answer(method, path, headers, operation, more)
        # Whoever asks too quickly is not looked at: how fast a machine is must not decide what is tested.
        while field is not None and answer.status_code == 429:
            time.sleep(int(answer.headers["Retry-After"]))
            answer = self.answer(method, path, headers, operation, more)
        problem = {}
        if answer.status_code >= 400 and method != "HEAD":
            if answer.headers["Content-Type"] != "application/problem+json":
                return self.fault(path, method, what, answer, "is no problem")
            if not answer.text.startswith("{"):
                return self.fault(path, method, what, answer, "has no problem in it")
            problem = answer.json()
            response = operation["responses"].get(str(answer.status_code))
            if response is None:
                return self.fault(path, method, what, answer, "is not described")
        if answer.status_code >= 500:
            return self.fault(path, method, what, answer, "is a fault")
        if field is not None:
            if answer.status_code < 400:
                return self.fault(path, method, what, answer, "was taken")
            # A body that is too large is not read, so nobody knows which field it was.
            if method != "HEAD" and problem["code"] != "body_too_large" and problem.get("field") != field:
                self.fault(path, method, what, answer, f"does not name {field}")

    def answer(self, method, path, headers, operation, more):
        return requests.request(
            method, self.address(path), headers=headers, timeout=20, allow_redirects=False,
            stream="text/event-stream" in str(operation["responses"].get("200")), **more)

    def fault(self, path, method, what, answer, why):
        self.faults.append(f"{method} {path}: {what} {why}: {answer.status_code} {answer.text[:300]}")

    def bodies(self):
        for path, method, operation in self.table.operations():
            for media, content in operation.get("requestBody", {}).get("content", {}).items():
                if media.endswith("json"):
                    yield path, method, operation, media, content["schema"]
