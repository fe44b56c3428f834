"""What issuers may do wrong: answers that are none, and documents by which nobody can sign in."""

import json


def redirecting(handler):
    handler.send(302, b"", Location=f"{handler.server.base}/plain/.well-known/openid-configuration")


def huge(handler):
    handler.send(200, json.dumps({"keys": ["x" * 1000] * 1000}))


def endless(handler):
    """A body that says of itself nothing and does not end."""
    handler.send_response(200)
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
    for _ in range(1000):
        handler.wfile.write(b"1000\r\n" + b" " * 4096 + b"\r\n")


DISCOVERY = ".well-known/openid-configuration"
WRONG_DOCUMENTS = {
    "gone": lambda realm: realm.answers.update({DISCOVERY: lambda handler: handler.send(404, {})}),
    "fails": lambda realm: realm.answers.update({DISCOVERY: lambda handler: handler.send(500, {})}),
    "no json": lambda realm: realm.answers.update({DISCOVERY: lambda handler: handler.send(200, "<html>")}),
    "redirects": lambda realm: realm.answers.update({DISCOVERY: redirecting}),
    "huge": lambda realm: realm.answers.update({DISCOVERY: huge}),
    "endless": lambda realm: realm.answers.update({DISCOVERY: endless}),
    "another issuer": lambda realm: realm.discovery.update({"issuer": "https://elsewhere.example"}),
    "plain http": lambda realm: realm.discovery.update({"token_endpoint": "http://elsewhere.example/token"}),
    "a file": lambda realm: realm.discovery.update({"authorization_endpoint": "file:///etc/passwd"}),
    "a script": lambda realm: realm.discovery.update({"authorization_endpoint": "javascript:alert(1)"}),
    "no endpoint": lambda realm: realm.discovery.update({"token_endpoint": None}),
}
