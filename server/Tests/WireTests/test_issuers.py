"""What issuers may be: without a good document, with answers that are none, with new keys."""

import pytest

from issuer import Key, token
from signing_in import NUMBER, code_of
from wrong_issuers import WRONG_DOCUMENTS, huge


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
