"""What identity tokens may be: forged, of something else, or odd in what they only tell."""

import hashlib
import hmac
import re
import time

import pytest

from issuer import Key, token
from signing_in import code_of


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
