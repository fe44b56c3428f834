# Sourced: which Debian packages are needed, and how they are installed.

# To build: the headers the server links, the libraries core.wasm links.
build_packages=(libsqlite3-dev libpq-dev zlib1g-dev libhiredis-dev libargon2-dev pkg-config wasi-libc
  libclang-rt-14-dev-wasm32)
# To run as well: the media tools.
run_packages=(ffmpeg "${build_packages[@]}")
# To test as well: browsers of three engines, a screen for the one that needs one, something that runs WebAssembly and scripts on the command line, a proxy, players,
# an S3 server, a database server, what shows the calls of a program, and what judges units of systemd.
test_packages=(chromium webkit2gtk-driver firefox-esr xvfb xauth fonts-dejavu-core nodejs python3-venv curl nginx strace mpv gstreamer1.0-tools
  gstreamer1.0-plugins-base gstreamer1.0-plugins-good gstreamer1.0-plugins-bad gstreamer1.0-libav
  swift-proxy swift-account swift-container swift-object memcached
  postgresql-15 redis-server openssl prometheus systemd)

missing_packages() {
  local package
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' && continue
    # Node.js is often installed past Debian's packages; any from 18 on will do.
    if [ "$package" = nodejs ] && node -e 'process.exit(+(process.versions.node.split(".")[0] < 18))' \
      2>/dev/null; then continue; fi
    echo "$package"
  done
}

# Installs what is missing of the packages named, as root or by sudo without a password; else says
# the one command to type.
need_packages() {
  local missing install
  missing=$(missing_packages "$@" | tr '\n' ' ')
  [ -n "${missing// /}" ] || return 0
  install="apt-get install -y --no-install-recommends $missing"
  if ! command -v apt-get >/dev/null; then
    echo "These are needed: $missing(this script knows only Debian's apt-get)" >&2
    return 1
  fi
  local as=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! sudo -n true 2>/dev/null; then
      printf 'Packages are missing. Type this, then try again:\n\n  sudo apt-get update && sudo %s\n\n' \
        "$install" >&2
      return 1
    fi
    as=(sudo)
  fi
  echo "Installing: $missing"
  local log
  log=$(mktemp)
  # shellcheck disable=SC2086
  if ! { "${as[@]}" apt-get update -q && "${as[@]}" env DEBIAN_FRONTEND=noninteractive $install; } \
    >"$log" 2>&1 </dev/null; then
    tail -20 "$log" >&2
    echo "The installation failed; the whole output is in $log" >&2
    return 1
  fi
  rm -f "$log"
}
