#!/bin/sh
# Asks a server with Chromium: chromium.sh URL HOST ENDPOINT TRUST [PROXY]
#
# It trusts what the NSS database in its home folder has, which is made for this one visit. Its exit status is always 0,
# so its log is looked at.
url=$1 host=$2 endpoint=$3 trust=$4
way="--host-resolver-rules=MAP $host $endpoint, MAP * ~NOTFOUND"
[ -z "$5" ] || way=--proxy-server=$5
HOME=$(mktemp -d "$PWD/chromium.XXXXXX") && cd "$HOME" || exit
store="sql:$HOME/.pki/nssdb"
mkdir -p "$HOME/.pki/nssdb"
certutil -N -d "$store" --empty-password
awk -v RS='-----END CERTIFICATE-----\n' 'NF { print $0 RS > ("root-" NR ".pem") }' "$trust"
# It opens no connection in advance: which chains such a one would see, nobody could foretell.
mkdir -p profile/Default
echo '{ "net": { "network_prediction_options": 2 } }' >profile/Default/Preferences
for root in root-*.pem; do certutil -A -d "$store" -n "$root" -t C,, -i "$root"; done
chromium --headless --no-sandbox --disable-gpu --no-first-run --user-data-dir="$HOME/profile" \
    "$way" --dump-dom "$url" >page.html 2>log.txt
cat page.html
if grep -o 'handshake failed.*net_error.*' log.txt; then exit 1; fi
