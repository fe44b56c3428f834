"""Several processes of one instance: servers and workers on one PostgreSQL and one Redis, behind nginx."""

import os
import subprocess
import time
import uuid
from contextlib import ExitStack
from urllib.parse import urlsplit

import requests
from requests.adapters import HTTPAdapter

from clips import SERVER
from front import nginx
from server import Server


def make_database():
    """Settings by which a process finds an empty database of its own."""
    server = os.environ["CLIPFEED_TEST_POSTGRES"]
    name = f"cluster_{uuid.uuid4().hex[:12]}"
    subprocess.run(["psql", "-q", server, "-c", f"CREATE DATABASE {name}"], check=True)
    parts = urlsplit(server)
    address = parts._replace(netloc=f"{parts.username}@{parts.hostname}:{parts.port}", path=f"/{name}").geturl()
    return {"CLIPFEED_DATABASE": address, "CLIPFEED_DATABASE_PASSWORD": parts.password}


class Cluster:
    """Two servers, two workers, nginx in front."""

    def __init__(self, folder):
        self.folder = folder
        self.environment = make_database() | {
            "CLIPFEED_CACHE": os.environ["CLIPFEED_TEST_REDIS"], "CLIPFEED_PROXIES": "1"}
        self.servers = [self._serve(), self._serve()]
        self.workers = [self._work(), self._work()]
        self._ends = ExitStack()
        ports = [server.port for server in self.servers]
        self.url = self._ends.enter_context(nginx(folder / "nginx", *ports, forget="1s"))

    def _serve(self, port=0):
        # What is on its way up lies in a folder that all of them have.
        return Server(self.folder / "data", port=port, environment=self.environment)

    def _work(self):
        return subprocess.Popen(
            [SERVER, "work", "--data", self.folder / "data"], env=os.environ | self.environment,
            stdout=subprocess.DEVNULL)

    def hold(self, number):
        self.servers[number].hold()

    def kill(self, number):
        self.servers[number].kill()

    def start_again(self, number):
        self.servers[number] = self._serve(self.servers[number].port)

    def stop(self):
        for worker in self.workers:
            worker.terminate()
        for server in self.servers:
            server.stop()
        for worker in self.workers:
            worker.wait(60)
        self._ends.close()


class Person:
    """Somebody with an account, at an address of their own, who tries again until there is an answer."""

    # An address of its own for each, so that limits by address see people and not one machine.
    _addresses = iter(range(2, 250))

    def __init__(self, cluster, handle):
        self._session = requests.Session()
        self._session.mount("http://", From(f"127.0.0.{next(self._addresses)}"))
        self._cluster = cluster
        self.retries = 0
        answer = self.call("POST", "/api/v1/accounts", json={
            "handle": handle, "password": f"quite a long one of {handle}", "transport": "token"})
        assert answer.status_code == 201, answer.text
        self.session = answer.json()
        self.id = self.session["account"]["id"]
        self._session.headers["Authorization"] = f"Bearer {self.session['access_token']}"

    def call(self, method, path, server=None, **more):
        """Through nginx, or to one of the servers."""
        return self._session.request(method, (server.url if server else self._cluster.url) + path, timeout=30, **more)

    def insist(self, method, path, first=None, **more):
        """The same again until it is answered, as a client does that has lost an answer. `first`: the server that is asked
        before nginx is."""
        for attempt in range(200):
            try:
                answer = self.call(method, path, first if attempt == 0 else None, **more)
            except requests.RequestException:
                answer = None
            if answer is not None and answer.status_code not in (429, 502, 503, 504):
                return answer
            self.retries += 1
            time.sleep(float(answer.headers.get("Retry-After", 0.1)) if answer is not None else 0.1)
        raise AssertionError(f"{method} {path} was never answered")


class From(HTTPAdapter):
    def __init__(self, address):
        self._address = (address, 0)
        super().__init__()

    def init_poolmanager(self, *arguments, **more):
        super().init_poolmanager(*arguments, source_address=self._address, **more)
