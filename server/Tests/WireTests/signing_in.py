"""People who sign in by others: a browser without a page in it, and what an app does."""

import itertools
import re

import requests

NUMBER = itertools.count(1)
ARRIVED = "/#account/arriving"


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


def begin_in_app(person, realm):
    answer = person.ask("POST", "sign-ins", {"provider": realm.name, "transport": "token"})
    assert answer.status_code == 200 and not answer.cookies
    return answer.json()


def code_of(answer):
    assert answer.status_code >= 400, answer.text
    return answer.json()["code"]
