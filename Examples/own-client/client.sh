#!/bin/sh
# Stands for an app of your own: it fetches a URL, and its exit status says how that went.
#
#   client.sh URL ENDPOINT TRUST [PINS]
#
# 0 it was answered; 3 the server's certificate is not acceptable; 4 no pin matches; 1 anything else.
curl --disable --silent --show-error --fail --max-time 5 \
    --cacert "$3" ${4:+--pinnedpubkey "$4"} --connect-to "::$2" "$1"
case $? in
0) exit 0 ;;
60) exit 3 ;;
90) exit 4 ;;
*) exit 1 ;;
esac
