#!/bin/sh
# A program for each server: one server a line, "port host anchors", and one answer a line. $1 is the program, $2 takes what
# it says.
while read -r port host anchors; do
    case $1 in
    curl) curl -sS --max-time 10 --cacert "$anchors" --resolve "$host:$port:127.0.0.1" "https://$host:$port/" ;;
    wget) https_proxy=http://127.0.0.1:$port wget -nv -T 10 -t 1 -O - --ca-certificate="$anchors" \
        --ca-directory=/nowhere "https://$host/" ;;
    esac </dev/null >"$2" 2>&1
    if [ $? = 0 ]; then echo accept; else echo "reject $(tr -s '\n' ' ' <"$2" | tail -c 400)"; fi
done
