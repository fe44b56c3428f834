#!/usr/bin/env bash
# Writes shell.js into a folder of the web client (web): every file of the page with its content's hash, and one version for all
# of them. The page's worker (web/worker.js) keeps the page by it. Run again whenever a file has changed: run.sh and e2e.sh do.
# Without shell.js the page works as ever, without a worker.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-web}
cd "$folder"

# What a page needs to open and to play what is on the device. The rest comes behind it, of words only those of the language in use.
is_first() {
  case "$1" in
    index.html | core.wasm | app/main.js | app/core/* | app/feed/* | app/playback/* | app/words/* | app/clip-link/* | app/offline/* | \
      app/screens/screens.js | app/settings/conditions.js | app/settings/frames.js | app/settings/settings.js) true ;;
    *) false ;;
  esac
}

files='' first=''
while read -r hash path; do
  address=/$path
  [ "$path" != index.html ] || address=/
  files+="${files:+,}"$'\n'"\"$address\":\"${hash:0:16}\""
  if is_first "$path"; then first+="${first:+,}\"$address\""; fi
done < <(
  # Pictures of the page for installing, and pages that are not the client's own, are nothing to open without a network.
  { find app -type f \( -name '*.js' -o -name '*.css' \); find words -type f -name '*.json'; find . -maxdepth 1 -type f \( -name '*.wasm' -o -name '*.svg' \
    -o -name '*.webmanifest' -o -name index.html \) -printf '%f\n'; } | LC_ALL=C sort | xargs -d '\n' sha256sum | sed 's/  / /'
)
version=$(printf '%s' "$files" | sha256sum | cut -c 1-16)
# In one step: a server may be reading it.
printf 'self.SHELL = {"version":"%s","first":[%s],"files":{%s\n}};\n' "$version" "$first" "$files" >shell.js.new
mv shell.js.new shell.js
