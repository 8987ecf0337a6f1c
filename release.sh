#!/usr/bin/env bash
# Builds the binaries of a release: stripped, without paths of this machine, with
# checksums and manual pages. usage: ./release.sh VERSION [DIR]
set -euo pipefail
cd "$(dirname "$0")"
version=${1:?usage: ./release.sh VERSION [DIR]}
dir=${2:-out/release-$version}
[[ $version =~ ^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9a-z.]+)?$ ]] || { echo "$version: vX.Y.Z expected (semver.org)"; exit 2; }
grep -q "^## ${version#v}\b" CHANGELOG.md || { echo "CHANGELOG.md has no entry ## ${version#v}"; exit 1; }
commit=$(git rev-parse --short=12 HEAD)
[ -z "$(git status --porcelain)" ] || commit="$commit, modified"
flags="-s -w -X main.release=$version -X 'main.commit=$commit'"
mkdir -p "$dir"
for target in ${TARGETS:-linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 freebsd/amd64 linux/386}; do
  os=${target%/*} arch=${target#*/} suffix=
  [ "$os" = windows ] && suffix=.exe
  CGO_ENABLED=0 GOOS=$os GOARCH=$arch go build -trimpath -ldflags "$flags" \
    -o "$dir/bgtrain-$version-$os-$arch$suffix" ./cmd/bgtrain
done
go run -trimpath -ldflags "$flags" ./cmd/bgtrain man "$dir/man" >/dev/null
tar -C "$dir" -czf "$dir/bgtrain-$version-man.tar.gz" man
rm -r "$dir/man"
(cd "$dir" && sha256sum bgtrain-* > SHA256SUMS)
echo "$dir"
