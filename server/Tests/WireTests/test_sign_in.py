"""Signing in by others: the real server against an issuer that checks its callers, and against what issuers, thieves and other
sites may send it."""

import hashlib
import hmac
import itertools
import json
import re
import socket
import time
import urllib.parse

import pytest
import requests

from conftest import PASSWORD
from issuer import Issuer, Key, apples, token
from server import Server

NUMBER = itertools.count(1)
ARRIVED = "/#account/arriving"


def free_port():
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        return place.getsockname()[1]


@pytest.fixture(scope="module")
def issuer():
    issuer = Issuer()
    issuer.realm("plain")
    issuer.realm("post", alg="ES256", method="client_secret_post")
    issuer.realm("public", alg="PS256", method="none")
    issuer.realm("apple", apple=apples())
    for name in WRONG_DOCUMENTS:
        issuer.realm(name.replace(" ", "")[:20])
    yield issuer
    issuer.shutdown()


@pytest.fixture(scope="module")
def served(issuer, tmp_path_factory):
    port, folder = free_port(), tmp_path_factory.mktemp("sign-in")
    environment = issuer.settings(f"http://127.0.0.1:{port}", folder) | {"CLIPFEED_PROXIES": "1"}
    server = Server(folder / "data", port=port, environment=environment)
    yield server
    server.stop()


class Person:
    """A browser, without a page in it."""

    def __init__(self, served):
        self.served, self.session = served, requests.Session()
        number = next(NUMBER)
        self.session.headers["X-Forwarded-For"] = f"10.7.{number >> 8}.{number & 255}"

    def ask(self, method, path, body=None, **headers):
        return self.session.request(
            method, f"{self.served.url}/api/v1/{path}", json=body, headers=headers, timeout=30)

    def begin(self, realm, path="sign-ins", **more):
        answer = self.ask("POST", path, {"provider": realm.name, "transport": "cookie"} | more)
        assert answer.status_code == 200, answer.text
        assert answer.json().keys() == {"authorization_url"}
        return answer.json()["authorization_url"]

    def visit(self, address, answer="allow"):
        """Signs in there. The request by which the provider sends the browser back."""
        page = requests.get(address, timeout=30)
        assert page.status_code == 200, page.text
        fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page.text))
        consent = re.search(r'action="([^"]+)"', page.text)[1]
        back = requests.post(consent, data=fields | {"answer": answer}, allow_redirects=False, timeout=30)
        if back.status_code == 302:
            return requests.Request("GET", back.headers["Location"])
        form = dict(re.findall(r'name="(\w+)" value="([^"]*)"', back.text.replace("&quot;", "\\u0022")))
        form = {name: value.replace("\\u0022", '"') for name, value in form.items()}
        return requests.Request("POST", re.search(r'action="([^"]+)"', back.text)[1], data=form)

    def come_back(self, request):
        # With another site's form no browser sends a cookie of ours.
        sender = requests.Session() if request.method == "POST" else self.session
        answer = sender.send(sender.prepare_request(request), allow_redirects=False, timeout=30)
        assert (answer.status_code, answer.headers.get("Location")) == (303, ARRIVED), answer.text
        assert answer.headers["Cache-Control"] == "no-store"
        self.session.cookies.update(answer.cookies)

    def end(self, path="sign-ins/answer"):
        return self.ask("POST", path, {"transport": "cookie"})

    def sign_in(self, realm, **more):
        self.come_back(self.visit(self.begin(realm, **more)))
        return self.end()

    def join(self, realm, **more):
        newcomer = self.sign_in(realm).json()["newcomer"]
        body = {"ticket": newcomer["ticket"], "handle": newcomer["handle"], "transport": "cookie"} | more
        answer = self.ask("POST", "sign-ins/accounts", body)
        assert answer.status_code == 201, answer.text
        return answer.json()["account"]

    def proof(self, realm):
        self.come_back(self.visit(self.begin(realm, "account/sign-ins", purpose="confirm")))
        return self.end("account/sign-ins/answer").json()["proof"]

    def ticket(self, realm):
        self.come_back(self.visit(self.begin(realm, "account/sign-ins", purpose="connect")))
        return self.end("account/sign-ins/answer")


@pytest.fixture
def person(served):
    return Person(served)


@pytest.fixture(autouse=True)
def whole(request):
    """Every test leaves realms as it found them, and somebody else comes to each."""
    issuer = request.getfixturevalue("issuer")
    for realm in issuer.realms.values():
        realm.person = {
            "sub": f"person-{next(NUMBER)}", "name": "Ada Lovelace", "email": "ada@example.org", "email_verified": True}
        realm.complaints.clear()
    yield
    for realm in issuer.realms.values():
        realm.claims, realm.forge, realm.names_itself = (lambda claims: claims), None, True


def code_of(answer):
    assert answer.status_code >= 400, answer.text
    return answer.json()["code"]


# What people do


@pytest.mark.parametrize("name", ["plain", "post", "public", "apple"])
def test_a_newcomer_chooses_a_handle_and_is_known_from_then_on(issuer, served, person, name):
    realm = issuer.realms[name]
    listed = person.ask("GET", "sign-in-providers").json()["items"]
    assert {"id": name, "kind": "apple" if realm.apple else "oidc", "name": f"The {name}"} in listed
    newcomer = person.sign_in(realm).json()["newcomer"]
    assert (newcomer["email"], newcomer["known"]) == ("ada@example.org", False)
    assert re.fullmatch(r"ada\d*", newcomer["handle"])
    new = {"ticket": newcomer["ticket"], "handle": f"the.{name}", "name": newcomer["name"], "transport": "cookie"}
    # Nothing is used up by a handle that cannot be had.
    assert code_of(person.ask("POST", "sign-ins/accounts", new | {"handle": "admin"})) == "handle_taken"
    answer = person.ask("POST", "sign-ins/accounts", new)
    assert answer.status_code == 201 and "access_token" not in answer.json()
    account = answer.json()["account"]
    assert account["handle"] == f"the.{name}" and "email" not in account
    assert person.ask("GET", "account").json() == account
    ways = person.ask("GET", "account/identities").json()
    assert ways["password"] is False and [item["provider"] for item in ways["items"]] == [name]
    assert code_of(person.ask("POST", "sign-ins/accounts", new | {"handle": "another"})) == "sign_in_over"
    other = Person(served)
    assert other.sign_in(realm).json()["session"]["account"]["id"] == account["id"]
    assert not realm.complaints


def test_the_name_that_apple_tells_once_is_kept_until_it_is_needed(issuer, person):
    realm = issuer.realms["apple"]
    realm.told = False
    realm.person = {"sub": f"a{next(NUMBER)}", "email": "x7@privaterelay.appleid.com", "email_verified": "true"}
    newcomer = person.sign_in(realm).json()["newcomer"]
    assert newcomer["name"] == "Ada King" and newcomer["email"] == "x7@privaterelay.appleid.com"
    assert newcomer["handle"].startswith("ada.king")


def test_who_says_no_is_told_so(issuer, person):
    for name in ("plain", "apple"):
        realm = issuer.realms[name]
        person.come_back(person.visit(person.begin(realm), "deny"))
        assert code_of(person.end()) == "sign_in_declined"


def test_an_account_with_a_password_connects_and_disconnects(issuer, served, person):
    plain, post = issuer.realms["plain"], issuer.realms["post"]
    handle = f"connects{next(NUMBER)}"
    new = {"handle": handle, "password": PASSWORD, "transport": "cookie"}
    account = person.ask("POST", "accounts", new).json()["account"]
    ticket = person.ticket(plain).json()["ticket"]
    assert code_of(person.ask("POST", "account/identities", {"ticket": ticket})) == "password_wrong"
    wrong = {"ticket": ticket, "password": "wrong wrong"}
    assert code_of(person.ask("POST", "account/identities", wrong)) == "password_wrong"
    connected = person.ask("POST", "account/identities", {"ticket": ticket, "password": PASSWORD})
    assert connected.status_code == 201
    assert Person(served).sign_in(plain).json()["session"]["account"]["id"] == account["id"]
    # Somebody else's identity stays somebody else's.
    stranger = Person(served)
    stranger.join(post, handle=f"stranger{next(NUMBER)}")
    assert code_of(person.ticket(post)) == "identity_taken"
    gone = person.ask("DELETE", f"account/identities/{connected.json()['id']}")
    assert gone.status_code == 204
    assert code_of(person.ask("DELETE", f"account/identities/{connected.json()['id']}")) == "identity_not_found"
    assert "newcomer" in Person(served).sign_in(plain).json()


def test_the_last_way_in_stays_until_there_is_a_password(issuer, person):
    realm = issuer.realms["plain"]
    person.join(realm, handle=f"last{next(NUMBER)}")
    identity = person.ask("GET", "account/identities").json()["items"][0]["id"]
    assert code_of(person.ask("DELETE", f"account/identities/{identity}")) == "last_way_in"
    new = {"new_password": PASSWORD}
    assert code_of(person.ask("PUT", "account/password", new)) == "proof_needed"
    assert code_of(person.ask("PUT", "account/password", new | {"current_password": ""})) == "proof_needed"
    assert code_of(person.ask("PUT", "account/password", new | {"proof": "made up"})) == "sign_in_over"
    proof = person.proof(realm)
    assert person.ask("PUT", "account/password", new | {"proof": proof}).status_code == 204
    # A proof is good once.
    assert code_of(person.ask("PUT", "account/password", new | {"proof": proof})) == "sign_in_over"
    assert person.ask("DELETE", f"account/identities/{identity}").status_code == 204


def test_a_proof_is_asked_for_anew_and_is_of_the_same_person(issuer, person):
    realm = issuer.realms["plain"]
    person.join(realm, handle=f"proof{next(NUMBER)}")
    address = person.begin(realm, "account/sign-ins", purpose="confirm")
    asked = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(address).query))
    assert asked["prompt"] == "login" and int(asked["max_age"]) > 0
    own = realm.person
    realm.person = own | {"sub": "somebody-else"}
    person.come_back(person.visit(address))
    assert code_of(person.end("account/sign-ins/answer")) == "identity_not_found"
    # An issuer that did not ask again.
    realm.person, realm.claims = own, lambda claims: claims | {"auth_time": int(time.time()) - 86_400}
    person.come_back(person.visit(person.begin(realm, "account/sign-ins", purpose="confirm")))
    assert code_of(person.end("account/sign-ins/answer")) == "sign_in_over"
    # What was begun for one end is no answer to another.
    realm.claims = lambda claims: claims
    person.come_back(person.visit(person.begin(realm, "account/sign-ins", purpose="confirm")))
    assert code_of(person.end()) == "sign_in_over"


def test_deleting_the_account_gives_back_what_apple_lent(issuer, served, person):
    realm = issuer.realms["apple"]
    person.join(realm, handle=f"leaves{next(NUMBER)}")
    assert code_of(person.ask("POST", "account/deletion", {})) == "proof_needed"
    before = len(realm.revoked)
    assert person.ask("POST", "account/deletion", {"proof": person.proof(realm)}).status_code == 204
    end = time.monotonic() + 20
    while len(realm.revoked) == before and time.monotonic() < end:
        time.sleep(0.02)
    assert len(realm.revoked) == before + 1 and not realm.complaints
    assert "newcomer" in Person(served).sign_in(realm).json()


# Apps


def begin_in_app(person, realm):
    answer = person.ask("POST", "sign-ins", {"provider": realm.name, "transport": "token"})
    assert answer.status_code == 200 and not answer.cookies
    return answer.json()


def test_an_app_signs_in_by_the_systems_token(issuer, person):
    realm = issuer.realms["apple"]
    start = begin_in_app(person, realm)
    hashed = hashlib.sha256(start["nonce"].encode()).hexdigest()
    app = realm.apple["apps"][0]
    realm.codes["native"] = {"nonce": hashed, "app": app}
    body = {"transport": "token", "flow": start["flow"], "id_token": realm.identity_token(hashed, app), "code": "native"}
    newcomer = person.ask("POST", "sign-ins/answer", body | {"name": "Grace Hopper"}).json()["newcomer"]
    assert newcomer["name"] == "Ada Lovelace"
    joined = person.ask("POST", "sign-ins/accounts", {
        "ticket": newcomer["ticket"], "handle": f"app{next(NUMBER)}", "transport": "token"}).json()
    assert joined["access_token"] and joined["refresh_token"]
    # The token of one flow is none of another's, and one of another app is nobody's.
    other = begin_in_app(person, realm)
    assert code_of(person.ask("POST", "sign-ins/answer", body | {"flow": other["flow"]})) == "identity_refused"
    stolen = realm.identity_token(other["nonce"], "org.example.other")
    answer = person.ask("POST", "sign-ins/answer", {"transport": "token", "flow": other["flow"], "id_token": stolen})
    assert code_of(answer) == "identity_refused"
    known = realm.identity_token(other["nonce"], app)
    answer = person.ask("POST", "sign-ins/answer", {"transport": "token", "flow": other["flow"], "id_token": known})
    assert answer.json()["session"]["account"]["id"] == joined["account"]["id"]
    assert not realm.complaints


def test_an_app_signs_in_by_a_code(issuer, person):
    realm = issuer.realms["plain"]
    start = begin_in_app(person, realm)
    came = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(person.visit(start["authorization_url"]).url).query))
    body = {"transport": "token", "flow": start["flow"], **came}
    assert code_of(person.ask("POST", "sign-ins/answer", body | {"state": "x"})) == "sign_in_over"
    assert "newcomer" in person.ask("POST", "sign-ins/answer", body).json()


# Thieves and other sites


def test_an_answer_counts_only_where_it_was_asked_for(issuer, served, person):
    realm = issuer.realms["plain"]
    attacker = Person(served)
    own = attacker.visit(attacker.begin(realm))
    # Planted in a browser that asked nothing, and in one that asked something else.
    person.come_back(own)
    assert code_of(person.end()) == "sign_in_over"
    person.begin(realm)
    person.come_back(own)
    assert code_of(person.end()) == "sign_in_over"
    assert not person.session.cookies.get("clipfeed_access")


def test_an_answer_of_one_provider_is_none_of_another(issuer, person):
    plain, public = issuer.realms["plain"], issuer.realms["public"]
    back = person.visit(person.begin(plain))
    back.url = back.url.replace("/sign-in/plain", "/sign-in/public")
    person.come_back(back)
    assert code_of(person.end()) == "sign_in_over"
    # RFC 9207: who answered is said, and the code is given to nobody if it was another.
    back = person.visit(person.begin(plain))
    back.url = back.url.replace(urllib.parse.quote_plus(plain.issuer), urllib.parse.quote_plus(public.issuer))
    person.come_back(back)
    asked = plain.asked["token"], public.asked.get("token")
    assert code_of(person.end()) == "identity_refused"
    # Also if an issuer that always says it does not.
    back = person.visit(person.begin(plain))
    back.url = re.sub(r"&iss=[^&]*", "", back.url)
    person.come_back(back)
    assert code_of(person.end()) == "identity_refused"
    assert (plain.asked["token"], public.asked.get("token")) == asked


def test_a_code_is_good_once(issuer, person):
    realm = issuer.realms["plain"]
    person.come_back(person.visit(person.begin(realm)))
    kept = person.session.cookies.copy()
    assert person.end().status_code == 200
    assert not [name for name in person.session.cookies.keys() if "sign_in" in name]
    person.session.cookies = kept
    assert code_of(person.end()) == "sign_in_over"


def test_a_flow_that_was_touched_is_none(issuer, person):
    start = begin_in_app(person, issuer.realms["plain"])
    parts = start["flow"].split(".")
    for number, part in enumerate(parts):
        for other in (part[:-1] + ("0" if part[-1:] != "0" else "1"), "", "x" * 600):
            flow = ".".join([*parts[:number], other, *parts[number + 1:]])
            if flow == start["flow"]:
                continue
            body = {"transport": "token", "flow": flow, "state": "s", "code": "c"}
            assert code_of(person.ask("POST", "sign-ins/answer", body)) in ("sign_in_over", "invalid_parameter", "too_many_requests")


def test_another_site_begins_nothing_here(issuer, person):
    for path in ("sign-ins", "sign-ins/answer", "sign-ins/accounts"):
        answer = person.ask("POST", path, {"provider": "plain", "transport": "cookie"}, **{"Sec-Fetch-Site": "cross-site"})
        assert code_of(answer) == "cross_site_refused"


@pytest.mark.parametrize("query", [
    "", "code=x", "state=x", "code=a&code=b&state=c", "code=%00&state=%ff", "error=x" * 50, "code=" + "x" * 3000,
    "state=" + "s" * 600, "user=" + "%7B" * 400, "iss=" + "é" * 300, "&&&=&=", "error=%3Cscript%3E"])
def test_whatever_comes_back_is_only_an_answer_that_is_wrong(issuer, served, person, query):
    for provider in ("plain", "none", "..%2f", "%00", "x" * 200):
        answer = person.session.get(
            f"{served.url}/sign-in/{provider}?{query}", allow_redirects=False, timeout=30)
        assert answer.status_code in (303, 400)
        assert len(answer.headers.get("Set-Cookie", "")) < 4096
    posted = person.session.post(
        f"{served.url}/sign-in/apple", data=query, allow_redirects=False, timeout=30,
        headers={"Content-Type": "application/x-www-form-urlencoded"})
    assert posted.status_code == 303
    person.begin(issuer.realms["plain"])
    assert code_of(person.end()) in ("sign_in_over", "sign_in_declined", "identity_refused")


def test_a_form_that_is_none_is_refused(served):
    for kind, body, code in (("application/json", "{}", 415), ("application/x-www-form-urlencoded", "x" * 40_000, 413)):
        answer = requests.post(
            f"{served.url}/sign-in/apple", data=body, headers={"Content-Type": kind}, allow_redirects=False, timeout=30)
        assert answer.status_code == code


# What tokens may be


def hs256(secret):
    return lambda body: hmac.new(secret, body, hashlib.sha256).digest()


def public_pem(key):
    from cryptography.hazmat.primitives import serialization
    return key.private.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)


OTHER = Key("other")
FORGED = {
    "another's signature": lambda realm: lambda header, claims: token(header, claims, OTHER.sign),
    "no signature": lambda realm: lambda header, claims: token(header, claims, lambda body: b""),
    "alg none": lambda realm: lambda header, claims: token(header | {"alg": "none"}, claims, lambda body: b""),
    "alg None": lambda realm: lambda header, claims: token({"alg": "None"}, claims, lambda body: b""),
    "HS256 by the public key": lambda realm: lambda header, claims: token(
        header | {"alg": "HS256"}, claims, hs256(public_pem(realm.keys[-1]))),
    "HS256 by the modulus": lambda realm: lambda header, claims: token(
        header | {"alg": "HS256"}, claims, hs256(realm.keys[-1].jwk()["n"].encode())),
    "HS256 by the client's secret": lambda realm: lambda header, claims: token(
        header | {"alg": "HS256"}, claims, hs256(realm.secret.encode())),
    "another algorithm than the key's": lambda realm: lambda header, claims: token(
        header | {"alg": "PS256"}, claims, realm.keys[-1].sign),
    "an algorithm of another kind of key": lambda realm: lambda header, claims: token(
        header | {"alg": "ES256"}, claims, realm.keys[-1].sign),
    "a key of its own": lambda realm: lambda header, claims: token(
        header | {"kid": "mine", "jwk": OTHER.jwk()}, claims, OTHER.sign),
    "an extension": lambda realm: lambda header, claims: token(
        header | {"crit": ["exp"]}, claims, realm.keys[-1].sign),
    "a changed payload": lambda realm: lambda header, claims: changed(token(header, claims, realm.keys[-1].sign)),
    "no payload": lambda realm: lambda header, claims: token(header, [], realm.keys[-1].sign),
    "two parts": lambda realm: lambda header, claims: "a.b",
    "no token": lambda realm: lambda header, claims: "",
    "too much": lambda realm: lambda header, claims: token(
        header, claims | {"groups": ["g" * 100] * 300}, realm.keys[-1].sign),
}


def changed(text):
    header, body, signature = text.split(".")
    return f"{header}.{body[:-4]}AAAA.{signature}"


def now():
    return int(time.time())


WRONG = {
    "issuer": {"iss": "https://elsewhere.example"}, "audience": {"aud": "another"}, "no audience": {"aud": []},
    "another audience as well": {"aud": ["clipfeed-plain", "another"], "azp": "clipfeed-plain"},
    "used by another": {"azp": "another"}, "no subject": {"sub": ""}, "a long subject": {"sub": "s" * 256},
    "a subject with a zero": {"sub": "a\0b"}, "no nonce": {"nonce": None}, "another's nonce": {"nonce": "n" * 43},
    "over": lambda: {"exp": now() - 120}, "of the future": lambda: {"iat": now() + 600},
    "old": lambda: {"iat": now() - 3600}, "no end": {"exp": None}, "an end that is text": {"exp": "never"},
    "an endless end": {"exp": 1e400}, "a subject that is a number": {"sub": 7},
}


@pytest.mark.parametrize("what", FORGED)
def test_a_forged_token_signs_nobody_in(issuer, person, what):
    realm = issuer.realms["plain"]
    realm.forge = FORGED[what](realm)
    assert code_of(person.sign_in(realm)) == "identity_refused"


@pytest.mark.parametrize("what", WRONG)
def test_a_true_token_of_something_else_signs_nobody_in(issuer, person, what):
    realm, wrong = issuer.realms["plain"], WRONG[what]
    realm.claims = lambda claims: claims | (wrong() if callable(wrong) else wrong)
    assert code_of(person.sign_in(realm)) == "identity_refused"


def test_what_is_only_told_may_be_anything(issuer, person):
    realm = issuer.realms["plain"]
    for told in ({"name": 7, "email": ["x"], "email_verified": "maybe"}, {"name": "\u202eevil", "email": "no address"},
                 {"name": "x" * 5000, "preferred_username": "\0", "email": "a@b"}, {"name": None, "email": None},
                 {"name": "Иван", "preferred_username": "Müller, Jörg", "email": None}):
        realm.claims = lambda claims, told=told: claims | told
        newcomer = person.sign_in(realm).json()["newcomer"]
        assert re.fullmatch(r"[a-z0-9][a-z0-9._]*[a-z0-9]", newcomer["handle"])
        assert newcomer.get("name") in (None, "Иван") and newcomer.get("email") is None
    assert newcomer["handle"] == "muller.jorg"


def test_an_issuer_changes_its_keys_and_strangers_make_us_ask_for_them_once(issuer, person):
    realm = issuer.realms["public"]
    assert person.sign_in(realm).status_code == 200
    realm.keys.append(Key("public-2", "ES256"))
    del realm.keys[0]
    assert person.sign_in(realm).status_code == 200
    asked = realm.asked["keys"]
    realm.forge = lambda header, claims: token(header | {"kid": f"k{next(NUMBER)}"}, claims, realm.keys[-1].sign)
    for _ in range(3):
        assert code_of(person.sign_in(realm)) == "identity_refused"
    assert realm.asked["keys"] == asked


# What issuers may be


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


@pytest.mark.parametrize("what", WRONG_DOCUMENTS)
def test_an_issuer_without_a_good_document_is_not_asked(issuer, person, what):
    realm = issuer.realms[what.replace(" ", "")[:20]]
    WRONG_DOCUMENTS[what](realm)
    answer = person.ask("POST", "sign-ins", {"provider": realm.name, "transport": "cookie"})
    assert code_of(answer) == "provider_unreachable" and answer.status_code == 503
    assert answer.headers["Retry-After"] and realm.name in answer.json()["detail"]


@pytest.mark.parametrize("place", ["token", "keys"])
@pytest.mark.parametrize("how", [
    lambda handler: handler.send(500, {}), huge, lambda handler: handler.send(200, "{"),
    lambda handler: handler.send(302, b"", Location="http://127.0.0.1:9/"),
    lambda handler: handler.send(200, {"keys": [{"kty": "oct", "k": "c2VjcmV0", "kid": "plain-1"}]}),
    lambda handler: handler.send(200, {"id_token": 7, "keys": "none"})])
def test_answers_that_are_none_sign_nobody_in(issuer, person, place, how):
    realm = issuer.realms["post"]
    if place == "keys":
        # What is known already is not asked for: a key that is not.
        realm.forge = lambda header, claims: token(header | {"kid": f"k{next(NUMBER)}"}, claims, realm.keys[-1].sign)
    realm.answers[place] = how
    try:
        assert code_of(person.sign_in(realm)) in ("provider_unreachable", "identity_refused")
    finally:
        del realm.answers[place]


def test_the_log_says_why_and_holds_no_secret(served, issuer, person):
    realm = issuer.realms["plain"]
    realm.claims = lambda claims: claims | {"aud": "another"}
    person.sign_in(realm)
    assert served.says("it is for another client")
    text = "".join(served.log)
    assert realm.secret not in text and "eyJ" not in text


def test_a_client_with_a_wrong_secret_is_the_operators_to_mend(issuer, served, person):
    realm = issuer.realms["plain"]
    secret, realm.secret = realm.secret, "changed"
    try:
        assert code_of(person.sign_in(realm)) == "identity_refused"
        assert served.says("invalid_client")
    finally:
        realm.secret = secret


def test_a_provider_that_is_not_there_is_not_found(person):
    for name in ("none", "PLAIN", "../plain", ""):
        answer = person.ask("POST", "sign-ins", {"provider": name, "transport": "cookie"})
        assert code_of(answer) == "provider_not_found"
