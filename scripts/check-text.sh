#!/usr/bin/env bash
# What strangers write is cut, compared and escaped by bytes or scalars: a `Character` is whatever a person sees as one, and "<" with a
# mark behind it is another than "<". The ways of the standard library that go by characters have counterparts in
# server/Sources/Platform/Text/TextBytes.swift, which the modules that meet such text use instead: all but those below.
set -euo pipefail
cd "$(dirname "$0")/.."
# The operator's settings and command line, and what programs and services of theirs answer.
others=(Argon2 Composition Configured FFmpeg MailProgram Maintenance Measuring ModelServer Options PostgreSQL Recommendations/Judging Redis S3Blobs
  Uploader clipfeed)
ways='\.has(Prefix|Suffix)\(|\.split\(separator: "|\.replacing\("|components\(separatedBy|replacingOccurrences|[^8]\.(first|last)Index\(of: "|separator: Character'
if grep -rnE "$ways" server/Sources --include='*.swift' | grep -vE "^server/Sources/($(IFS='|'; echo "${others[*]}"))/" | grep -vE 'glyphs\.|scalars\[|columns\.|name\.dropFirst'; then
  echo "by bytes instead: split(atByte:), split(atText:), starts(withBytesOf:), replacing(byte:with:), utf8.firstIndex" >&2
  exit 1
fi
echo ok
