"""What issuers may be: without a good document, with answers that are none, with new keys."""

import pytest

from conftest import PASSWORD
from issuer import Key, token
from signing_in import NUMBER, Person, code_of
from wrong_issuers import WRONG_DOCUMENTS, endless, huge


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
    realm = issuer.realms["failing"]
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


# Names and addresses that are told elsewhere


def test_what_the_token_does_not_say_of_a_newcomer_is_asked_for(issuer, served, person):
    realm = issuer.realms["apart"]
    newcomer = person.sign_in(realm).json()["newcomer"]
    assert (newcomer["name"], newcomer["email"]) == ("Ada Lovelace", "ada@example.org")
    assert newcomer["handle"].startswith("ada")
    account = person.join(realm, handle=f"apart{next(NUMBER)}", name=newcomer["name"])
    # Nobody needs it of somebody who is known.
    asked = realm.asked["userinfo"]
    assert Person(served).sign_in(realm).json()["session"]["account"]["id"] == account["id"]
    assert realm.asked["userinfo"] == asked and not realm.complaints


def test_an_identity_that_is_connected_shows_the_address_that_was_told(issuer, person):
    realm = issuer.realms["apart"]
    person.ask("POST", "accounts", {"handle": f"told{next(NUMBER)}", "password": PASSWORD, "transport": "cookie"})
    ticket = person.ticket(realm).json()["ticket"]
    connected = person.ask("POST", "account/identities", {"ticket": ticket, "password": PASSWORD})
    assert connected.json()["email"] == "ada@example.org"


@pytest.mark.parametrize("how", [
    lambda handler: handler.send(200, {"sub": "somebody-else", "name": "Eve", "email": "eve@example.org"}),
    lambda handler: handler.send(200, {"name": "Eve", "email": "eve@example.org"}),
    lambda handler: handler.send(200, "eyJhbGciOiJub25lIn0.e30.", "application/jwt"),
    lambda handler: handler.send(302, b"", Location=f"{handler.server.base}/plain/userinfo"),
    lambda handler: handler.send(401, {"error": "invalid_token"}), lambda handler: handler.send(500, "<html>"),
    lambda handler: handler.send(200, "{"), huge, endless])
def test_who_is_not_told_of_is_a_newcomer_without_a_name(issuer, person, how):
    realm = issuer.realms["apart"]
    realm.answers["userinfo"] = how
    try:
        newcomer = person.sign_in(realm).json()["newcomer"]
        assert newcomer.keys().isdisjoint({"name", "email"}) and newcomer["known"] is False
    finally:
        del realm.answers["userinfo"]


@pytest.mark.parametrize("access", ["", "a\r\nX-Evil: 1", "é", "x" * 5000, None, 7])
def test_a_token_that_no_header_can_hold_is_not_sent(issuer, served, person, monkeypatch, access):
    realm = issuer.realms["apart"]
    asked, give = realm.asked.get("userinfo", 0), realm.tokens
    monkeypatch.setattr(realm, "tokens", lambda *how: (200, give(*how)[1] | {"access_token": access}))
    answer = person.sign_in(realm)
    assert "newcomer" in answer.json() or code_of(answer) == "identity_refused"
    assert realm.asked.get("userinfo", 0) == asked and "X-Evil" not in "".join(served.log)


def test_what_is_told_elsewhere_may_be_anything(issuer, person):
    realm = issuer.realms["apart"]
    realm.person |= {"name": 7, "email": ["x"], "email_verified": "maybe", "preferred_username": "Müller, Jörg"}
    newcomer = person.sign_in(realm).json()["newcomer"]
    assert newcomer.keys().isdisjoint({"name", "email"}) and newcomer["handle"].startswith("muller.jorg")
