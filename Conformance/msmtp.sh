#!/bin/sh
# Sends a mail by STARTTLS: msmtp.sh HOST PORT TRUST [FINGERPRINT]
#
# A fingerprint takes the place of all other checks (msmtp(1), tls_fingerprint).
host=$1 port=$2 trust=--tls-trust-file=$3
[ -z "$4" ] || trust=--tls-fingerprint=$(echo "$4" | sed 's/../&:/g; s/:$//')
printf 'Subject: a test\n\nIt was sent.\n' | msmtp --host="$host" --port="$port" --tls=on --tls-starttls=on --auth=off \
    "$trust" --from=me@example.org you@example.org
