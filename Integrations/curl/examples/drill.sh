#!/bin/sh
# Four lines to a verdict: drill.sh FILE [naive]. With "naive" the app pins nothing, and the last of them fails.
. "$(dirname "$0")/../pindrill.sh"

app() {
    curl --silent --output /dev/null --proxy "$proxy" --cacert "$trust" ${pins:+--pinnedpubkey "$pins"} "$url"
    case $? in
    0) echo worked ;;
    60) echo refused ;;
    90) echo refused-pin ;;
    *) echo failed ;;
    esac
}

pindrill_open "$1"
pins=''
[ "${2:-}" = naive ] || pins=$(pindrill_pins leaf-and-backup | sed 's|^|sha256//|' | paste -sd ';')

pindrill_drill attacker-installed-root leaf-and-backup
pindrill_play app
pindrill_expect pass
