"""Signing in by others: the real server against an issuer that checks its callers."""

import hashlib
import re
import time
import urllib.parse

import pytest

from conftest import PASSWORD
from signing_in import NUMBER, Person, begin_in_app, code_of


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
    address = f"account/identities/{connected.json()['id']}"
    assert code_of(person.ask("DELETE", address, {"password": "wrong wrong"})) == "password_wrong"
    assert code_of(person.ask("DELETE", address, {})) == "password_wrong"
    assert person.ask("DELETE", address, {"password": PASSWORD}).status_code == 204
    assert code_of(person.ask("DELETE", address, {"password": PASSWORD})) == "identity_not_found"
    assert "newcomer" in Person(served).sign_in(plain).json()


def test_owners_are_told_of_providers_and_of_devices_that_are_new(issuer, served, person):
    realm = issuer.realms["plain"]
    account = person.join(realm, handle=f"told{next(NUMBER)}")

    def told():
        return person.ask("GET", "account/notices").json()["items"]

    # The browser in which the account was made is known where providers let people in, too.
    assert person.ask("DELETE", "sessions/current").status_code == 204
    assert person.sign_in(realm).json()["session"]["account"]["id"] == account["id"]
    assert told() == []
    other = Person(served)
    other.session.headers["User-Agent"] = "\u0d4e<b>\u0301 Firefox/1 (Windows) Set-Cookie: a".encode()
    for _ in range(2):
        assert other.sign_in(realm).json()["session"]["account"]["id"] == account["id"]
    assert [(notice["kind"], notice["device"], notice["times"]) for notice in told()] == [("new_device", "Firefox on Windows", 1)]
    assert person.ask("POST", "account/identities", {"ticket": person.ticket(realm).json()["ticket"],
                                                     "proof": person.proof(realm)}).status_code == 201
    assert len(told()) == 1, "it was connected already"
    assert person.ask("DELETE", "sessions").status_code == 204
    assert person.sign_in(realm).status_code == 200
    assert [notice["kind"] for notice in told()] == ["signed_out_everywhere", "new_device"]


def test_the_last_way_in_stays_until_there_is_a_password(issuer, person):
    realm = issuer.realms["plain"]
    person.join(realm, handle=f"last{next(NUMBER)}")
    identity = person.ask("GET", "account/identities").json()["items"][0]["id"]
    assert code_of(person.ask("DELETE", f"account/identities/{identity}", {})) == "proof_needed"
    proof = person.proof(realm)
    assert code_of(person.ask("DELETE", f"account/identities/{identity}", {"proof": proof})) == "last_way_in"
    new = {"new_password": PASSWORD}
    assert code_of(person.ask("PUT", "account/password", new)) == "proof_needed"
    assert code_of(person.ask("PUT", "account/password", new | {"current_password": ""})) == "proof_needed"
    assert code_of(person.ask("PUT", "account/password", new | {"proof": "made up"})) == "sign_in_over"
    # What was refused used none up.
    assert person.ask("PUT", "account/password", new | {"proof": proof}).status_code == 204
    # A proof is good once.
    assert code_of(person.ask("PUT", "account/password", new | {"proof": proof})) == "sign_in_over"
    assert person.ask("DELETE", f"account/identities/{identity}", {"password": PASSWORD}).status_code == 204


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
    end = time.monotonic() + 120
    while len(realm.revoked) == before and time.monotonic() < end:
        time.sleep(0.02)
    assert len(realm.revoked) == before + 1 and not realm.complaints
    assert "newcomer" in Person(served).sign_in(realm).json()


# Apps


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
