#!/bin/sh
# What an image of the server has besides the program: the browser, a font, certificates, and a user who is not root.
# The Containerfile runs it as root; so do the tests. What is there already is left as it is.
#
#   install.sh             installs
#   install.sh --packages  names the packages, one a line
set -eu

# The headless shell is a Chromium without a window, several times cheaper than the whole.
# Without a font, text in screenshots is boxes. Certificates are for the authorization server's keys.
PACKAGES="chromium-headless-shell fonts-dejavu-core ca-certificates"
# A number that a Kubernetes policy can name (runAsUser); nobody else has it.
ID=10001
NAME=e2e

if [ "${1-}" = --packages ]; then
    printf '%s\n' $PACKAGES
    exit 0
fi

missing=
for package in $PACKAGES; do
    status=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || missing="$missing $package"
done
if [ -n "$missing" ]; then
    export DEBIAN_FRONTEND=noninteractive
    apt-get update
    # shellcheck disable=SC2086 # a list of words
    apt-get install --yes --no-install-recommends $missing
    rm -rf /var/lib/apt/lists/*
fi

if ! getent passwd "$ID" >/dev/null; then
    groupadd --gid "$ID" "$NAME"
    useradd --uid "$ID" --gid "$ID" --create-home --shell /usr/sbin/nologin "$NAME"
fi

# The project. A volume that is mounted here must be this user's, too, or be readable by all.
install --directory --owner "$ID" --group "$ID" --mode 0755 /workspace

# Fails here, and not with the first session, if a library is missing.
/usr/lib/chromium/chromium-headless-shell --version
