#!/usr/bin/env bash
# Makes ios/Declarations/facts.txt anew: what two public descriptions of Apple's interfaces say of all that is declared.
# Arguments: git directories (or work trees) of madsmtm/objc2-generated and dotnet/macios. Nothing of them is kept but facts.
# Their commits stand in ios/Declarations/facts-head.txt; the checks need neither.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/swift.sh
objc2=${1:?the git directory of madsmtm/objc2-generated} macios=${2:?the git directory of dotnet/macios}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/objc2" "$work/macios"

head=ios/Declarations/facts-head.txt
commit() { sed -nE "s|.*$1, commit ([0-9a-f]+).*|\1|p" "$head"; }
for framework in AVFAudio AVFoundation AVKit AuthenticationServices BackgroundTasks CoreAudioTypes CoreFoundation CoreGraphics CoreImage CoreMedia CoreVideo Foundation Metal QuartzCore Security UIKit UserNotifications; do
  git -C "$objc2" archive "$(commit objc2-generated)" "$framework" | tar x -C "$work/objc2"
done
for file in authenticationservices avfoundation avkit backgroundtasks coreanimation coreimage coremedia foundation security uikit usernotifications; do
  git -C "$macios" show "$(commit dotnet/macios):src/$file.cs" >"$work/macios/$file.cs"
done
swift build --package-path ios/Tools --product FactDerivation 2>&1 | tail -1
ios/Tools/.build/debug/FactDerivation ios/Declarations "$work/objc2" "$work/macios" "$head" >"$work/facts.txt"
mv "$work/facts.txt" ios/Declarations/facts.txt
grep -vc "^#" ios/Declarations/facts.txt
