"""Answers of providers that were stolen, planted, touched or made up, and what other sites may send."""

import re
import urllib.parse

import pytest
import requests

from signing_in import Person, begin_in_app, code_of


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
    asked = plain.asked.get("token"), public.asked.get("token")
    assert code_of(person.end()) == "identity_refused"
    # Also if an issuer that always says it does not.
    back = person.visit(person.begin(plain))
    back.url = re.sub(r"&iss=[^&]*", "", back.url)
    person.come_back(back)
    assert code_of(person.end()) == "identity_refused"
    assert (plain.asked.get("token"), public.asked.get("token")) == asked


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
