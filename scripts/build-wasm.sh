#!/usr/bin/env bash
# Builds web/core.wasm from core/Sources with the toolchain's own Embedded Swift.
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
mkdir -p "$build"

flags=(-target wasm32-unknown-none-wasm -enable-experimental-feature Embedded -wmo -Osize
  -parse-as-library -swift-version 6 -warnings-as-errors -Xfrontend -disable-stack-protector
  -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility
  -enable-upcoming-feature InternalImportsByDefault -I "$build")

# In the order of their imports, as core/Package.swift says them.
objects=()
for module in CoreTypes FeedPager PlayerPool Prefetch Bitrate EnergyBudget MediaCache Composer Session Wire \
  ComposerWire SessionWire; do
  swiftc "${flags[@]}" -module-name "$module" -emit-module -emit-module-path "$build/$module.swiftmodule" \
    -c core/Sources/"$module"/*.swift -o "$build/$module.o"
  objects+=("$build/$module.o")
done
swiftc "${flags[@]}" -enable-experimental-feature Extern -module-name CoreWasm \
  -c core/Sources/CoreWasm/*.swift core/Sources/WasmRuntime/*.swift -o "$build/CoreWasm.o"

# 64 KiB of stack first, so that an overflow traps instead of overwriting data. No import is
# allowed: the module can do nothing but compute.
"$(dirname "$(command -v swiftc)")/wasm-ld" --no-entry --export-memory --gc-sections --strip-all \
  --stack-first -z stack-size=65536 "$build/CoreWasm.o" "${objects[@]}" "${libraries[@]}" -o "$build/core.wasm"
mkdir -p web
mv "$build/core.wasm" web/core.wasm
echo "web/core.wasm: $(stat -c %s web/core.wasm) bytes, $(gzip -9c web/core.wasm | wc -c) gzipped"
