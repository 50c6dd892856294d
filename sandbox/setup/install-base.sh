#!/bin/sh
# Runs as root inside the build of base.Dockerfile. PACKAGES names the Debian packages; /tmp/build holds:
#   npm.tgz          the npm package as its registry serves it
#   ca-bundle.crt    optional: certificates that the host trusts, for this build only
#   host.sources     optional: where the host's own package manager finds Debian
#   fast-path/       the C of sandbox/fast-path
set -eu
build=/tmp/build

export DEBIAN_FRONTEND=noninteractive
set -- -o Acquire::Retries=3 -o Dpkg::Use-Pty=0
if [ -f "$build/ca-bundle.crt" ]; then
    set -- "$@" -o "Acquire::https::CAInfo=$build/ca-bundle.crt"
fi
if [ -f "$build/host.sources" ]; then
    set -- "$@" -o "Dir::Etc::sourceparts=/dev/null" -o "Dir::Etc::sourcelist=$build/host.sources"
fi
apt-get "$@" update
# PACKAGES is a list, so it is split on purpose. An image made by debootstrap has them already.
apt-get "$@" install -y --no-install-recommends $PACKAGES

# The compiler is needed here only.
apt-get "$@" install -y --no-install-recommends gcc libc6-dev
mkdir -p /usr/local/lib/autolith
gcc -std=c11 -D_GNU_SOURCE -Wall -Wextra -Wconversion -Werror -O2 -fstack-protector-strong -fPIC -shared \
    -o /usr/local/lib/autolith/fast_path.so "$build"/fast-path/*.c
apt-get "$@" purge -y --auto-remove gcc libc6-dev
rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/log/*

modules=/usr/local/lib/node_modules
mkdir -p "$modules"
tar -xzf "$build/npm.tgz" -C "$modules" --no-same-owner
mv "$modules/package" "$modules/npm"
for program in npm npx; do
    chmod 0755 "$modules/npm/bin/$program-cli.js"
    ln -s "../lib/node_modules/npm/bin/$program-cli.js" "/usr/local/bin/$program"
done
node --version
npm --version

groupadd --gid 10001 autolith
useradd --uid 10001 --gid 10001 --home-dir /tmp/home --no-create-home --shell /bin/sh autolith
install -d -o autolith -g autolith -m 0755 /work
install -d -m 0755 /layer /opt/autolith

# Nothing in the sandbox needs to become another user.
find / -xdev -type f -perm /6000 -exec chmod a-s {} +
rm -rf "$build"
