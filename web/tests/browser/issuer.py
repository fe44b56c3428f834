"""An issuer of OpenID Connect on this machine, which is as strict with its callers as real ones are: it knows its clients and
their addresses, wants PKCE, and gives a code once. Each realm is an issuer of its own, and can be told to answer wrongly.

It is reached as `localhost`, which browsers take for another site than 127.0.0.1."""

import base64
import hashlib
import html
import http.server
import json
import secrets
import threading
import time
import urllib.parse

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def number(value, length=None):
    return b64(value.to_bytes(length or (value.bit_length() + 7) // 8, "big"))


class Key:
    """A key of an issuer for one algorithm."""

    def __init__(self, kid, alg="RS256", bits=2048):
        self.kid, self.alg = kid, alg
        self.private = ec.generate_private_key(ec.SECP256R1()) if alg == "ES256" else rsa.generate_private_key(65537, bits)

    def jwk(self):
        numbers = self.private.public_key().public_numbers()
        if self.alg == "ES256":
            shape = {"kty": "EC", "crv": "P-256", "x": number(numbers.x, 32), "y": number(numbers.y, 32)}
        else:
            shape = {"kty": "RSA", "n": number(numbers.n), "e": number(numbers.e)}
        return shape | {"kid": self.kid, "use": "sig", "alg": self.alg}

    def sign(self, data):
        if self.alg == "ES256":
            r, s = decode_dss_signature(self.private.sign(data, ec.ECDSA(hashes.SHA256())))
            return r.to_bytes(32, "big") + s.to_bytes(32, "big")
        how = padding.PKCS1v15() if self.alg == "RS256" else padding.PSS(padding.MGF1(hashes.SHA256()), 32)
        return self.private.sign(data, how, hashes.SHA256())

    def pem(self):
        """As the .p8 files of Apple."""
        return self.private.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()


def token(header, claims, sign):
    body = ".".join(b64(json.dumps(part).encode()) for part in (header, claims))
    return f"{body}.{b64(sign(body.encode()))}"


class Realm:
    def __init__(self, server, name, alg="RS256", secret="s3cr&t/ä+", method="client_secret_basic", apple=None):
        self.issuer = f"{server.base}/{name}"
        self.name, self.client, self.secret, self.method, self.apple = name, f"clipfeed-{name}", secret, method, apple
        self.redirect = None
        self.keys = [Key(f"{name}-1", alg)]
        self.person = {"sub": "person-1", "name": "Ada Lovelace", "email": "ada@example.org", "email_verified": True}
        # Told once, at the first consent (Apple).
        self.told = False
        # What it does wrong: claims -> claims, (header, claims) -> token, members of its documents.
        self.claims = lambda claims: claims
        self.forge = None
        self.discovery = {}
        self.answers = {}
        self.names_itself = True
        # It says how people are called at its userinfo endpoint and not in identity tokens.
        self.tells_apart, self.access = False, {}
        self.codes, self.refresh, self.revoked, self.complaints = {}, {}, [], []
        self.asked = {}

    def document(self):
        return {
            "issuer": self.issuer, "authorization_endpoint": f"{self.issuer}/authorize?realm={self.name}",
            "token_endpoint": f"{self.issuer}/token", "jwks_uri": f"{self.issuer}/keys",
            "revocation_endpoint": f"{self.issuer}/revoke", "response_types_supported": ["code"],
            "subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["RS256", "ES256"],
            "token_endpoint_auth_methods_supported": [self.method],
            "authorization_response_iss_parameter_supported": self.names_itself,
        } | ({"userinfo_endpoint": f"{self.issuer}/userinfo"} if self.tells_apart else {}) | self.discovery

    def identity_token(self, nonce, client=None, **more):
        now = int(time.time())
        person = {"sub": self.person["sub"]} if self.tells_apart else self.person
        claims = self.claims(person | {
            "iss": self.issuer, "aud": client or self.client, "iat": now, "exp": now + 600, "nonce": nonce,
            "auth_time": now} | more)
        key = self.keys[-1]
        header = {"alg": key.alg, "kid": key.kid, "typ": "JWT"}
        return self.forge(header, claims) if self.forge else token(header, claims, key.sign)

    # What it checks of its callers

    def refuse(self, why):
        self.complaints.append(why)
        return why

    def question(self, fields):
        """What is wrong with a request for somebody to sign in; None if nothing is."""
        if fields.get("client_id") != self.client:
            return self.refuse(f"client {fields.get('client_id')}")
        if fields.get("redirect_uri") != self.redirect:
            return self.refuse(f"redirect_uri {fields.get('redirect_uri')}")
        if fields.get("response_type") != "code" or fields.get("code_challenge_method") != "S256":
            return self.refuse("not the code flow with PKCE")
        scopes = set(fields.get("scope", "").split())
        if not self.apple and "openid" not in scopes:
            return self.refuse("no openid scope")
        if self.apple and scopes and fields.get("response_mode") != "form_post":
            return self.refuse("Apple demands form_post")
        for name, least in (("state", 22), ("nonce", 22), ("code_challenge", 43)):
            if len(fields.get(name, "")) < least:
                return self.refuse(f"{name} is too short")
        return None

    def allow(self, fields, person=None):
        """A code for the question, and what goes back with it."""
        code = secrets.token_urlsafe(24)
        self.codes[code] = fields | {"at": time.time()}
        back = {"code": code, "state": fields["state"]} | ({"iss": self.issuer} if self.names_itself else {})
        if self.apple and not self.told:
            self.told = True
            back["user"] = json.dumps({"name": {"firstName": "Ada", "lastName": "King"}, "email": self.person["email"]})
        return back

    def known(self, form, authorization):
        """Whether a client has shown who it is."""
        if self.apple:
            return self.is_apples(form)
        if self.method == "none":
            return form.get("client_id") == self.client and "client_secret" not in form
        if self.method == "client_secret_basic":
            kind, _, given = (authorization or "").partition(" ")
            pair = base64.b64decode(given).decode() if kind == "Basic" else ":"
            return tuple(map(urllib.parse.unquote_plus, pair.split(":", 1))) == (self.client, self.secret)
        return (form.get("client_id"), form.get("client_secret")) == (self.client, self.secret)

    def is_apples(self, form):
        """A JWT under ES256 by the operator's key, as Apple wants it."""
        try:
            head, body, signature = form["client_secret"].split(".")
            header, claims, raw = json.loads(unb64(head)), json.loads(unb64(body)), unb64(signature)
            numbers = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
            self.apple["key"].private.public_key().verify(
                numbers, f"{head}.{body}".encode(), ec.ECDSA(hashes.SHA256()))
        except Exception as error:
            return bool(self.refuse(f"client secret: {error!r}")) and False
        now = time.time()
        good = (
            header["alg"] == "ES256" and header["kid"] == self.apple["key"].kid and claims["iss"] == self.apple["team"]
            and claims["aud"] == self.issuer and claims["sub"] == form.get("client_id")
            and claims["sub"] in [self.client, *self.apple["apps"]] and claims["iat"] <= now + 1 < claims["exp"]
            and claims["exp"] - claims["iat"] <= 15_777_000)
        return good or bool(self.refuse(f"client secret {header} {claims}")) and False

    def tokens(self, form, authorization):
        if not self.known(form, authorization):
            self.refuse("the client did not show who it is")
            return 401, {"error": "invalid_client"}
        asked = self.codes.pop(form.get("code"), None)
        if form.get("grant_type") != "authorization_code" or asked is None:
            self.refuse("no such code, or not any more")
            return 400, {"error": "invalid_grant"}
        is_app = asked.get("app")
        if not is_app:
            challenge = b64(hashlib.sha256(form.get("code_verifier", "").encode()).digest())
            if challenge != asked["code_challenge"] or form.get("redirect_uri") != asked["redirect_uri"]:
                self.refuse("the code was asked for by another")
                return 400, {"error": "invalid_grant"}
        refresh = secrets.token_urlsafe(32)
        self.refresh[refresh] = form["client_id"] if self.apple else self.client
        access = secrets.token_urlsafe(16)
        self.access[access] = dict(self.person)
        return 200, {
            "access_token": access, "token_type": "Bearer", "expires_in": 3600, "refresh_token": refresh,
            "id_token": self.identity_token(asked["nonce"], is_app)}

    def user_info(self, authorization):
        kind, _, given = (authorization or "").partition(" ")
        if kind != "Bearer" or given not in self.access:
            self.refuse("no access token of mine")
            return 401, {"error": "invalid_token"}
        return 200, self.access[given]

    def revoke(self, form, authorization):
        if not self.known(form, authorization) or self.refresh.get(form.get("token")) is None:
            self.refuse("nothing to revoke")
            return 400, {"error": "invalid_request"}
        self.revoked.append(form["token"])
        return 200, {}


PAGE = """<!doctype html><html lang="en"><title>Sign in at {name}</title><link rel="icon" href="data:,"><h1>Sign in at {name}</h1>
<form method="post" action="{issuer}/consent">{hidden}<button name="answer" value="allow">Continue as {person}</button>
<button name="answer" value="deny">Cancel</button></form></html>"""
POSTING = """<!doctype html><title>…</title><link rel="icon" href="data:,"><form method="post" action="{to}">{hidden}</form>
<script>document.forms[0].submit()</script>"""


def hidden(fields):
    return "".join(
        f'<input type="hidden" name="{html.escape(name)}" value="{html.escape(value)}">' for name, value in fields.items())


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def send(self, status, body, kind="application/json", **headers):
        body = body if isinstance(body, bytes) else (body if isinstance(body, str) else json.dumps(body)).encode()
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def answer(self, form):
        path, _, query = self.path.partition("?")
        _, name, *rest = path.split("/")
        realm, place = self.server.realms.get(name), "/".join(rest)
        if realm is None:
            return self.send(404, {})
        realm.asked[place] = realm.asked.get(place, 0) + 1
        if place in realm.answers:
            return realm.answers[place](self)
        fields = dict(urllib.parse.parse_qsl(query))
        if place == ".well-known/openid-configuration":
            return self.send(200, realm.document())
        if place == "keys":
            return self.send(200, {"keys": [key.jwk() for key in realm.keys]})
        if place == "authorize":
            if wrong := realm.question(fields):
                return self.send(400, wrong, "text/plain")
            return self.send(200, PAGE.format(
                name=realm.name, issuer=realm.issuer, hidden=hidden(fields), person=realm.person.get("name", "?")),
                "text/html; charset=utf-8")
        if place == "consent":
            denied = form.pop("answer", None) == "deny"
            word = "user_cancelled_authorize" if realm.apple else "access_denied"
            back = {"error": word, "state": form["state"]} if denied else realm.allow(form)
            if form.get("response_mode") == "form_post":
                return self.send(200, POSTING.format(to=realm.redirect, hidden=hidden(back)), "text/html; charset=utf-8")
            return self.send(302, b"", Location=f"{realm.redirect}?{urllib.parse.urlencode(back)}")
        if place == "token":
            return self.send(*realm.tokens(form, self.headers["Authorization"]))
        if place == "userinfo":
            return self.send(*realm.user_info(self.headers["Authorization"]))
        if place == "revoke":
            return self.send(*realm.revoke(form, self.headers["Authorization"]))
        return self.send(404, {})

    def do_GET(self):
        self.answer({})

    def do_POST(self):
        length = int(self.headers["Content-Length"] or 0)
        self.answer(dict(urllib.parse.parse_qsl(self.rfile.read(length).decode())))


class Issuer(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.base = f"http://localhost:{self.server_port}"
        self.realms = {}
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *_):
        """Who goes away in the middle is no matter."""

    def realm(self, name, **more):
        self.realms[name] = Realm(self, name, **more)
        return self.realms[name]

    def settings(self, origin, folder):
        """What a server is told of all realms; and the realms are told of the server."""
        environment = {"CLIPFEED_ORIGIN": origin, "CLIPFEED_SIGN_IN": " ".join(self.realms)}
        for name, realm in self.realms.items():
            realm.redirect = f"{origin}/sign-in/{name}"
            said = {"ISSUER": realm.issuer, "CLIENT_ID": realm.client, "NAME": f"The {name}"}
            if realm.apple:
                file = folder / f"{name}.p8"
                file.write_text(realm.apple["key"].pem())
                said |= {
                    "APPLE_TEAM": realm.apple["team"], "APPLE_KEY_ID": realm.apple["key"].kid,
                    "APPLE_KEY_FILE": str(file), "APPS": " ".join(realm.apple["apps"])}
            elif realm.method != "none":
                said["CLIENT_SECRET"] = realm.secret
            environment |= {f"CLIPFEED_SIGN_IN_{name.upper()}_{key}": value for key, value in said.items()}
        return environment


def apples(key="KEY1234567"):
    return {"team": "TEAM123456", "key": Key(key, "ES256"), "apps": ["org.example.clipfeed"]}
