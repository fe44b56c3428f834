# Sourced by scripts that build: makes sure that `swift` is the compiler.
# Debian's python3-swiftclient, for one, puts another program of that name into /usr/bin.
if ! swift --version 2>/dev/null | grep -q 'Swift version 6\.'; then
  for home in "${SWIFT_HOME:-}" /opt/swift /usr/share/swift "$HOME/.local/share/swiftly"; do
    [ -n "$home" ] && [ -x "$home/usr/bin/swiftc" ] && PATH="$home/usr/bin:$PATH" && break
  done
fi
if ! swift --version 2>/dev/null | grep -q 'Swift version 6\.'; then
  echo "Swift 6.3 is needed: https://www.swift.org/install/linux/ (found: $(command -v swift || echo none))" >&2
  exit 1
fi
