#!/bin/sh
# Install Debian's packages of MediaWiki, PHP-FPM and nginx if they are missing. Starts no service.
set -eu

SERVERS='php-fpm nginx-light'
PEER='mediawiki php-cli php-curl php-sqlite3 php-apcu php-intl php-mbstring php-xml php-luasandbox python3-pygments python3-venv'
POLICY=/usr/sbin/policy-rc.d

fail() {
    echo "bench-peer: $1" >&2
    exit 1
}

installed() {
    for package in "$@"; do
        dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || return 1
    done
}

# Debian starts a service when it is installed, unless this program forbids it.
forbid_services() {
    test ! -e "$POLICY" || return 0
    trap 'rm -f "$POLICY"' EXIT
    printf '#!/bin/sh\nexit 101\n' >"$POLICY"
    chmod 755 "$POLICY"
}

install() {
    DEBIAN_FRONTEND=noninteractive apt-get install --yes --quiet --no-install-recommends "$@"
}

test -e /etc/debian_version || fail "this needs Debian's package of MediaWiki, but the system is not Debian"
# shellcheck disable=SC2086  # lists of names
installed $SERVERS $PEER && exit 0
test "$(id -u)" -eq 0 || fail "run it as root once, to install the packages: $SERVERS $PEER"
forbid_services
apt-get update --quiet
# The servers first: otherwise the package php installs Apache.
# shellcheck disable=SC2086
install $SERVERS
# shellcheck disable=SC2086
install $PEER
