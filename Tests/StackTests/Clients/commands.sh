#!/bin/sh
# A program for each server: one server a line, "port host anchors pin instant", and one answer a line: "accept", "reject" and
# why, or "fail" and why, where what it says is no word about the chain. The instant is in milliseconds, or "-" for now. $1 is
# the program, $2 takes what it says, $3 is the folder of Conformance.
faketime=$(ls /usr/lib/*/faketime/libfaketime.so.1 /usr/lib/faketime/libfaketime.so.1 2>/dev/null | head -n 1)
while read -r port host anchors _ instant; do
    case $instant in
    -) clock= ;;
    # Only the clock on the wall stands still. The command `faketime` fails where somebody's with the same process number was
    # killed and left its semaphore, so the library is loaded by hand: it makes do without one.
    *) clock="env LD_PRELOAD=$faketime FAKETIME_FMT=%s FAKETIME_DONT_FAKE_MONOTONIC=1 FAKETIME=${instant%???}" ;;
    esac
    case $host in *[!0-9.]*) name=hostname ;; *) name=ip ;; esac
    case $1 in
    curl) $clock curl -sS --max-time 20 --cacert "$anchors" --resolve "$host:$port:127.0.0.1" "https://$host:$port/" ;;
    wget) https_proxy=http://127.0.0.1:$port $clock wget -nv -T 20 -t 1 -O - --ca-certificate="$anchors" \
        --ca-directory=/nowhere "https://$host/" ;;
    gnutls-cli) $clock gnutls-cli --port "$port" --verify-hostname="$host" --sni-hostname="$host" --x509cafile "$anchors" 127.0.0.1 ;;
    openssl) $clock openssl s_client -connect "127.0.0.1:$port" -verify_return_error -CAfile "$anchors" \
        "-verify_$name" "$host" ;;
    nio-ssl) "$3/../.build/clients/nio-ssl" "$host" "$port" "$anchors" ;;
    chromium) (mkdir -p "$2.home" && cd "$2.home" && timeout 60 sh "$3/chromium.sh" "https://$host:$port/" "$host" \
        "127.0.0.1:$port" "$anchors") ;;
    esac </dev/null >"$2" 2>&1
    status=$?
    said=$(tr -s '\n' ' ' <"$2" | tail -c 400)
    case $1:$status:$said in
    *:0:*) echo accept ;;
    curl:60:* | curl:35:* | wget:5:*) printf "reject %s\n" "$said" ;;
    gnutls-cli:*'PKI verification'* | gnutls-cli:*'Fatal error'* | gnutls-cli:*'fatal alert'*) printf "reject %s\n" "$said" ;;
    openssl:*'erif'*' error'* | openssl:*'alert handshake failure'*) printf "reject %s\n" "$said" ;;
    nio-ssl:*'SSL routines:OPENSSL_internal:'* | nio-ssl:*failedToValidateHostname*) printf "reject %s\n" "$said" ;;
    chromium:*net_error*) printf "reject %s\n" "$said" ;;
    *) printf "fail (%s) %s\n" "$status" "$said" ;;
    esac
done
