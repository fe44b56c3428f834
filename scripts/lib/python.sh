# Sourced by scripts that drive a browser: makes .venv in the repository once, and again when
# web/tests/browser/requirements.txt has changed. Afterwards "$python" is its interpreter.
python=.venv/bin/python
if ! cmp -s web/tests/browser/requirements.txt .venv/requirements.txt; then
  echo "Installing the Python packages that drive the browser (.venv)…"
  rm -rf .venv
  python3 -m venv .venv
  # A download may fail once; a second try is cheap.
  "$python" -m pip install --quiet --no-compile --disable-pip-version-check -r web/tests/browser/requirements.txt ||
    "$python" -m pip install --quiet --no-compile --disable-pip-version-check -r web/tests/browser/requirements.txt
  cp web/tests/browser/requirements.txt .venv/requirements.txt
fi
# Debian's browser, not one that playwright would download.
export CLIPFEED_CHROMIUM=${CLIPFEED_CHROMIUM:-/usr/bin/chromium}
if [ ! -x "$CLIPFEED_CHROMIUM" ]; then
  echo "Chromium is not there ($CLIPFEED_CHROMIUM); 'make doctor' says how to install it." >&2
  exit 1
fi
