"""Other players, served beside ours. Their files are never part of this repository."""

import hashlib
import os
import subprocess
import sys
import tarfile
from pathlib import Path

from common import CACHE

HERE = Path(__file__).parent / "peers"
VERSION = "1.6.18"
# Of the files in hls.js's release, the beginning of the sha256 of each.
HLSJS = {"hls.min.js": "ad0aa910a6962630", "hls.worker.js": "9765ef543e7c8503"}
ADVICE = f"""
hls.js {VERSION} is not here; it is measured beside our page, but is no part of this repository.
Put these two files of its release into {CACHE / "hlsjs"}, or name their folder by --hlsjs or
CLIPFEED_HLSJS: {", ".join(HLSJS)} (folder dist of the package; 'npm pack hls.js@{VERSION}' gets it).
With --alone our page is measured by itself.
"""


def hlsjs(folder=None):
    """What the page of hls.js needs, by path on the server. Ends the program if hls.js is not to be had."""
    given = folder or os.environ.get("CLIPFEED_HLSJS")
    folder = Path(given or CACHE / "hlsjs")
    if not given and not folder.exists():
        _pack(folder)
    files = {f"peers/{page.name}": page for page in HERE.iterdir()}
    for name, start in HLSJS.items():
        file = folder / name
        if not file.exists():
            sys.exit(f"{file} is missing.\n{ADVICE}")
        if not hashlib.sha256(file.read_bytes()).hexdigest().startswith(start):
            sys.exit(f"{file} is not that of hls.js {VERSION}.\n{ADVICE}")
        files[f"peers/{name}"] = file
    return files


def _pack(folder):
    """Asks the package manager for the release, if there is one."""
    fresh = folder.with_suffix(".new")
    fresh.mkdir(parents=True, exist_ok=True)
    try:
        subprocess.run(["npm", "pack", "--silent", f"hls.js@{VERSION}"], cwd=fresh, timeout=60, check=True,
                       capture_output=True)
        with tarfile.open(next(fresh.glob("*.tgz"))) as release:
            for name in HLSJS:
                (fresh / name).write_bytes(release.extractfile(f"package/dist/{name}").read())
        fresh.rename(folder)
    except (OSError, StopIteration, subprocess.SubprocessError, tarfile.TarError, KeyError):
        pass  # the advice tells other ways
