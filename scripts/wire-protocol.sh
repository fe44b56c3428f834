#!/usr/bin/env bash
# Writes the tables of the wire, in docs/design and in the web client, as core/Sources/*/*Protocol.swift say them.
# With --check it changes nothing and fails where they differ.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/swift.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

swiftc -swift-version 6 -parse-as-library core/Sources/*/*Protocol.swift scripts/lib/wire-protocol.swift -o "$work/wire-protocol"
"$work/wire-protocol" "$@"
