# Plays drills from a shell, with curl and jq: `. pindrill.sh`. Takes EXIT's trap, which ends what was started.
# PINDRILL_URL and PINDRILL_TOKEN or PINDRILL_TOKEN_FILE name a PinDrill that is there; otherwise one of its own is started.
pindrill_program=${pindrill_program:-pindrill} # started as `program serve FILE`
pindrill_start_seconds=${pindrill_start_seconds:-60} # how long that may take
pindrill_answer_seconds=${pindrill_answer_seconds:-60} # how long PinDrill may work between attempts

# pindrill_open [FILE]
pindrill_open() {
    pindrill_folder=$(mktemp -d) # only its owner may read it
    pindrill_forgotten='' pindrill_process=''
    trap pindrill_close EXIT
    trap 'exit 130' INT TERM
    pindrill_url=${PINDRILL_URL:-}
    if [ -z "$pindrill_url" ]; then
        # In one step, as its own process: what is waited for and ended is PinDrill itself.
        env -u PINDRILL_URL -u PINDRILL_TOKEN -u PINDRILL_TOKEN_FILE \
            "$pindrill_program" serve "$@" --port 0 --proxy-port 0 --json </dev/null \
            >"$pindrill_folder/place" 2>"$pindrill_folder/errors" &
        pindrill_process=$!
        local tenths=0
        until [ "$(wc -l <"$pindrill_folder/place")" -gt 0 ]; do
            kill -0 "$pindrill_process" 2>/dev/null ||
                pindrill_fail "'$pindrill_program serve' ended: $(cat "$pindrill_folder/errors")"
            [ $((tenths += 1)) -le $((pindrill_start_seconds * 10)) ] ||
                pindrill_fail "'$pindrill_program serve' was not ready after $pindrill_start_seconds s"
            sleep 0.1
        done
        pindrill_url=$(jq -r .url "$pindrill_folder/place")
        pindrill_token=$(jq -r .token "$pindrill_folder/place")
        rm "$pindrill_folder/place"
    elif [ -n "${PINDRILL_TOKEN_FILE:-}" ]; then
        pindrill_token=$(cat "$PINDRILL_TOKEN_FILE" 2>/dev/null) || pindrill_fail "the token file '$PINDRILL_TOKEN_FILE' cannot be read"
    else
        pindrill_token=${PINDRILL_TOKEN:-}
    fi
    [ -n "$pindrill_token" ] || pindrill_fail "an address without a token: set PINDRILL_TOKEN, or PINDRILL_TOKEN_FILE"
}

# pindrill_drill SCENARIO [POLICY [CLIENT]]
pindrill_drill() {
    pindrill_steps='' pindrill_seen='{"connections": []}'
    pindrill_ask POST '/v1/drills?wait=30' "$(jq -cn --arg scenario "$1" --arg policy "${2:-}" --arg client "${3:-}" \
        '$ARGS.named | with_entries(select(.value != ""))')"
    pindrill_state=$pindrill_answer pindrill_forgotten=$1
}

# pindrill_play COMMAND…: runs it for each attempt with $host, $url, $proxy, $address, $port, $trust (a file of roots in PEM)
# and $ask. Its last line says how the app took it: worked, refused, refused-pin, failed, again or skip.
# Where the answers of a scenario carry {code}, `worked` counts with the code that the app shows alone: worked 4711.
pindrill_play() {
    local path word code attempt
    path=/v1/drills/$(pindrill_field .id)
    while pindrill_ready "$path"; do
        attempt=$(pindrill_field .attempt)
        pindrill_steps="$pindrill_steps${pindrill_steps:+,}\"$attempt\":$(pindrill_field .step.number)"
        pindrill_ask GET "/v1/trust/$(pindrill_field '.step.store | @uri')?format=pem"
        printf '%s\n' "$pindrill_answer" >"$pindrill_folder/trust.pem"
        word=$(
            unset PINDRILL_TOKEN pindrill_token
            export host=$(pindrill_field .step.host) proxy=$(pindrill_field .proxy.url) ask=$(pindrill_field .ask)
            export address=$(pindrill_field .proxy.address) port=$(pindrill_field .proxy.port)
            export url=https://$host/ trust=$pindrill_folder/trust.pem
            "$@" | tail -n 1
        )
        code=
        case $word in 'worked '*) code=${word#worked } word=worked ;; esac
        case $word in
        worked | refused | refused-pin | failed | again | skip) ;;
        *) pindrill_fail "the app's word was '$word', which is none of: worked, refused, refused-pin, failed, again, skip" ;;
        esac
        pindrill_ask POST "$path/word?wait=30" "$(jq -cn --argjson attempt "$attempt" --arg word "$word" --arg code "$code" \
            '$ARGS.named | with_entries(select(.value != ""))')"
        pindrill_state=$pindrill_answer
    done
    if [ "$(pindrill_field .verdict)" != pass ]; then
        pindrill_ask GET /v1/observations
        pindrill_seen=$pindrill_answer
    fi
}

# pindrill_expect VERDICT: the script ends with status 1 and all that is known if the verdict is another.
pindrill_expect() {
    local verdict
    verdict=$(pindrill_field .verdict)
    [ "$verdict" != null ] ||
        pindrill_fail "'$(pindrill_field .scenario)' has no verdict: $(pindrill_field '.reason // "play it first"')"
    pindrill_forgotten=''
    [ "$verdict" != "$1" ] || return 0
    printf '%s\n%s' "$pindrill_state" "$pindrill_seen" | jq -rs --arg expected "$1" --argjson steps "{$pindrill_steps}" '
        .[1].connections as $seen | .[0] | .id as $id |
        "\(.scenario) · \(.policy) · \(.client): \(.verdict) (\(.consequence)), expected: \($expected)",
        (.results[] | select(.verdict != "pass") | .number as $number |
            ("  step \($number): \(.host) showed \(.shown | join(", ")), "
                + "whose key is the \(.holder)\u0027s: \(.verdict) (\(.consequence))"),
            "    why: \(.grounds)",
            ($seen[] | select(.source == $id and $steps["\(.attempt)"] == $number)
                | "    the wire saw: \(.connection.reaction)"),
            (.word // empty | "    the app\u0027s word: \(.)"),
            (.advice // empty | "    next: \(.)")),
        (.findings // [] | .[] | "  \(.)")' >&2
    exit 1
}

# pindrill_pins POLICY: its digests in base64, each on a line
pindrill_pins() {
    pindrill_ask GET /v1/policies
    printf '%s' "$pindrill_answer" | jq -er --arg name "$1" '.policies[] | select(.name == $name) | .pins // [] | .[]' ||
        pindrill_fail "there is no policy '$1'"
}

# Ends what was started. A drill whose verdict nobody has asked for is an error: its test would prove nothing.
pindrill_close() {
    local status=$?
    trap - EXIT INT TERM
    [ "$status" = 0 ] || pindrill_forgotten=''
    if [ -n "$pindrill_process" ]; then
        kill "$pindrill_process" 2>/dev/null || true
        wait "$pindrill_process" 2>/dev/null || true
    fi
    rm -rf "$pindrill_folder"
    [ -z "$pindrill_forgotten" ] || pindrill_fail "nobody asked for the verdict of '$pindrill_forgotten'"
    exit "$status"
}

# Waits until an attempt is to be made; fails where the drill is over.
pindrill_ready() {
    local end left
    end=$(($(date +%s) + pindrill_answer_seconds))
    until pindrill_field .state | grep -qxE 'waiting|finished|stopped'; do
        left=$((end - $(date +%s)))
        [ "$left" -gt 0 ] || pindrill_fail "'$(pindrill_field .scenario)' was still '$(pindrill_field .state)' after \
$pindrill_answer_seconds s"
        pindrill_ask GET "$1?wait=$((left < 30 ? left : 30))&after=$(pindrill_field .attempt)"
        pindrill_state=$pindrill_answer
    done
    [ "$(pindrill_field .state)" = waiting ]
}

# pindrill_ask METHOD PATH [BODY]: the answer is $pindrill_answer. The token stands on no command line.
pindrill_ask() {
    pindrill_answer=$(printf 'header = "Authorization: Bearer %s"\n' "$pindrill_token" |
        curl --config - --silent --show-error --noproxy '*' --max-time $((30 + pindrill_answer_seconds)) --request "$1" \
            --header 'Content-Type: application/json' ${3:+--data "$3"} --write-out '\n%{http_code}' \
            "${pindrill_url%/}$2" 2>&1) ||
        pindrill_fail "no PinDrill answers at $pindrill_url: $(printf '%s' "$pindrill_answer" | head -n 1); is 'pindrill serve' running?"
    local status=${pindrill_answer##*
}
    pindrill_answer=${pindrill_answer%
*}
    case $status in 2??) return ;; esac
    pindrill_fail "$(printf '%s' "$pindrill_answer" | jq -er '.nearest as $near | .message
        | if $near and (contains($near) | not) then "\(.); did you mean \u0027\($near)\u0027?" else . end' 2>/dev/null ||
        echo "PinDrill answered with status $status")"
}

pindrill_field() {
    printf '%s' "$pindrill_state" | jq -r "$1"
}

pindrill_fail() {
    printf '%s\n' "$1" >&2
    exit 2
}
