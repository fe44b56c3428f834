#!/usr/bin/env bash
# Builds web/core.wasm (the feed), web/studio.wasm (recording, looks), web/upload.wasm and web/activity.wasm (what is
# watched and liked, and under which token requests go) from core/Sources with the toolchain's own Embedded Swift.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/swift.sh

build=core/.build-wasm
# From Debian: malloc and memcpy (wasi-libc), 128-bit multiplication for overflow checks (compiler-rt).
libraries=(/usr/lib/wasm32-wasi/libc.a
  /usr/lib/llvm-14/lib/clang/14.0.6/lib/wasi/libclang_rt.builtins-wasm32.a)
for library in "${libraries[@]}"; do
  [ -f "$library" ] || { echo "build-wasm: $library is missing; run 'make doctor'" >&2; exit 1; }
done
mkdir -p "$build" web

flags=(-target wasm32-unknown-none-wasm -enable-experimental-feature Embedded -wmo -Osize
  -parse-as-library -swift-version 6 -warnings-as-errors -Xfrontend -disable-stack-protector
  -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility
  -enable-upcoming-feature InternalImportsByDefault -package-name core -I "$build")

# Size first, but for the module that plays out hundreds of futures per decision.
speed() { if [ "$1" = Lookahead ]; then echo -O; fi; }

# In the order of their imports, as core/Package.swift says them.
feed=(CoreTypes FeedPager Taps PlayerPool Lookahead Prefetch EnergyBudget MediaCache Composer Session
  Wire ComposerWire SessionWire)
others=(MachineHost Recording Looks StudioWire Marks Upload UploadWire Activity ActivityWire
  SignInSession SignInWire)
for module in "${feed[@]}" "${others[@]}"; do
  swiftc "${flags[@]}" $(speed "$module") -module-name "$module" -emit-module -emit-module-path "$build/$module.swiftmodule" \
    -c core/Sources/"$module"/*.swift -o "$build/$module.o"
done

# A door and its modules as one file; others would leave a few bytes each, though nothing of them is used.
# 64 KiB of stack first, so that an overflow traps instead of overwriting data. No import is allowed: the
# module can do nothing but compute.
link() { # door, product, modules…
  local door=$1 product=$2
  shift 2
  swiftc "${flags[@]}" -enable-experimental-feature Extern -module-name "$door" \
    -c core/Sources/"$door"/*.swift core/Sources/WasmRuntime/*.swift -o "$build/$door.o"
  "$(dirname "$(command -v swiftc)")/wasm-ld" --no-entry --export-memory --gc-sections --strip-all \
    --stack-first -z stack-size=65536 "$build/$door.o" "${@/#/$build/}" "${libraries[@]}" -o "$build/$product"
  mv "$build/$product" "web/$product"
  echo "web/$product: $(stat -c %s "web/$product") bytes, $(gzip -9c "web/$product" | wc -c) gzipped"
}
link CoreWasm core.wasm "${feed[@]/%/.o}"
link StudioWasm studio.wasm {CoreTypes,Wire,Composer,ComposerWire,MachineHost,Recording,Looks,StudioWire}.o
link UploadWasm upload.wasm {CoreTypes,Wire,MachineHost,Marks,Upload,UploadWire}.o
link ActivityWasm activity.wasm {CoreTypes,Wire,MachineHost,Activity,ActivityWire,SignInSession,SignInWire}.o
bash scripts/web-shell.sh
