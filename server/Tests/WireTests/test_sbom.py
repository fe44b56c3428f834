"""`make sbom`: the list of what a build is made of, judged by CycloneDX's own schema and by what is asked for."""

import json
import re
import subprocess
from collections import Counter

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from clips import ROOT


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    file = tmp_path_factory.mktemp("sbom") / "clipfeed.cdx.json"
    subprocess.run(["bash", ROOT / "scripts/sbom.sh", file], check=True, timeout=300)
    return file.read_text()


@pytest.fixture(scope="module")
def document(text):
    return json.loads(text)


def test_it_is_what_the_schema_says(text):
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None


def test_it_has_every_package_that_is_asked_for_in_its_version(document):
    found = {one["name"]: one for one in document["components"]}
    asked = re.findall(
        r'\.package\(url: "https://github\.com/[^/]+/([^"]+?)(?:\.git)?", exact: "([^"]+)"',
        (ROOT / "server/Package.swift").read_text())
    assert len(asked) > 10
    for name, version in asked:
        one = found[name]
        assert one["version"] == version and one["purl"].startswith("pkg:swift/github.com/")
        revision = {entry["name"]: entry["value"] for entry in one["properties"]}["clipfeed:revision"]
        assert re.fullmatch("[0-9a-f]{40}", revision)


def test_it_has_what_the_program_loads_and_runs(document):
    versions = {one["name"]: (one["version"], one["properties"][0]["value"]) for one in document["components"]}
    for name in ("libpq5", "libhiredis0.14", "libargon2-1", "zlib1g", "libsqlite3-0", "libssl3"):
        installed = subprocess.check_output(["dpkg-query", "-W", "-f", "${Version}\n", name], text=True).split()[0]
        assert versions[name] == (installed, "linked")
    assert versions["ffmpeg"][1] == "media" and versions["libavcodec59"][1] == "media"
    assert versions["swift"][1] == "toolchain" and versions["wasi-libc"][1] == "wasm"


def test_each_thing_stands_once_and_every_edge_leads_to_one(document):
    refs = [one["bom-ref"] for one in document["components"]] + [document["metadata"]["component"]["bom-ref"]]
    assert not [ref for ref, count in Counter(refs).items() if count > 1]
    edges = {one["ref"]: one["dependsOn"] for one in document["dependencies"]}
    assert set(edges) <= set(refs) and {ref for to in edges.values() for ref in to} <= set(refs)
    nio = next(one["bom-ref"] for one in document["components"] if one["name"] == "swift-nio")
    assert nio in edges["clipfeed"]


def test_a_range_of_versions_is_refused(tmp_path):
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts/check-pins.sh").write_text((ROOT / "scripts/check-pins.sh").read_text())
    manifest = tmp_path / "server/Package.swift"
    manifest.parent.mkdir()
    for line, status in (('exact: "1.0.0"', 0), ('from: "1.0.0"', 1), ('branch: "main"', 1), ('"1.0.0"..<"2.0.0"', 1)):
        manifest.write_text(f'.package(url: "https://example.org/a.git", {line}),\n')
        assert subprocess.run(["bash", tmp_path / "scripts/check-pins.sh"], capture_output=True).returncode == status
