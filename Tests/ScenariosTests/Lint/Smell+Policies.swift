extension Smell {
    static let policies = [
        Smell(
            "one key",
            ("strict: { pins: [leaf, spare], position: leaf }", "strict: { pins: [leaf] }"),
            twin: [("strict: { pins: [leaf, spare], position: leaf }", "strict: { pins: [leaf, other] }")],
            finds: "15:3: warning: policy 'strict' pins one key only, 'leaf': the day it is replaced, "
                + "everybody is locked out; pin a backup key as well [no-redundancy]"
        ),
        Smell(
            "one key among several requirements",
            (
                "strict: { pins: [leaf, spare], position: leaf }",
                "strict:\n    require:\n      - { pins: [leaf, spare] }\n      - { pins: [root] }"
            ),
            twin: [
                (
                    "strict: { pins: [leaf, spare], position: leaf }",
                    "strict:\n    require:\n      - { pins: [leaf, spare] }\n      - { pins: [root, other] }"
                )
            ],
            finds: "18:9: warning: policy 'strict' pins one key only, 'root': the day it is replaced, "
                + "everybody is locked out; pin a backup key as well [no-redundancy]"
        ),
        Smell(
            "one key that only reports",
            ("{ pins: [leaf, spare], position: leaf }", "{ pins: [leaf], failure: report, allow: [report-only] }"),
            twin: [("{ pins: [leaf, spare], position: leaf }", "{ pins: [leaf, spare] }")]
        ),
        Smell(
            "a pin twice",
            ("[leaf, spare]", "[leaf, spare, leaf]"),
            finds: "15:3: warning: policy 'strict' pins 'leaf' twice: it has fewer backups than it seems; "
                + "pin another key instead, or leave the second one out [no-redundancy]"
        ),
        Smell(
            "a key by two names",
            ("  other: {}", "  other: {}\n  cross: { issuer: other, key: root, subject: root }"),
            ("[leaf, spare], position: leaf", "[root, cross]"),
            twin: [
                ("  other: {}", "  other: {}\n  cross: { issuer: other, key: root, subject: root }"),
                ("[leaf, spare], position: leaf", "[cross, other]"),
            ],
            finds: "16:3: warning: policy 'strict' pins one key by 2 names, 'root' and 'cross': it has "
                + "fewer backups than it seems; pin another key instead, or leave the second one out "
                + "[no-redundancy]"
        ),
        Smell(
            "one certificate",
            ("{ key: leaf, issuer: root }", "{ key: leaf, issuer: root, valid: [-1d, 90d] }"),
            ("[leaf, spare], position: leaf", "[today], match: certificate"),
            twin: [
                ("{ key: leaf, issuer: root }", "{ key: leaf, issuer: root, valid: [-1d, 90d] }"),
                ("[leaf, spare], position: leaf", "[today, moved], match: certificate"),
            ],
            finds: "15:3: warning: policy 'strict' pins one certificate only, that of 'today': the day it "
                + "is renewed, everybody is locked out; pin keys, a backup among them [no-redundancy]"
        ),
        Smell(
            "one provider",
            ("  other: {}", "  other: {}\n  issuing: { issuer: root }"),
            ("{ key: leaf, issuer: root }", "{ key: leaf, issuer: issuing }"),
            ("[leaf, spare], position: leaf", "[root, issuing]"),
            twin: [
                ("  other: {}", "  other: {}\n  issuing: { issuer: root }"),
                ("{ key: leaf, issuer: root }", "{ key: leaf, issuer: issuing }"),
                ("[leaf, spare], position: leaf", "[issuing, other]"),
            ],
            finds: "16:3: warning: policy 'strict' pins authorities below one root only, 'root': the day "
                + "the provider is changed, everybody is locked out; pin an authority of another provider "
                + "as well, or keys of your own [no-redundancy]"
        ),
        Smell(
            "pins in what is sent",
            ("position: leaf", "search: presented-chain"),
            twin: [("position: leaf", "position: leaf, search: presented-chain")],
            finds: "15:3: warning: policy 'strict' looks for its pins in what the server sends, which an "
                + "attacker chooses: a forged chain from any trusted root passes with a copy of the "
                + "owner's certificates behind it; use 'search: verified-path' [presented-chain]"
        ),
        Smell(
            "no path, no host",
            ("position: leaf", "checks: [validity]"),
            twin: [("position: leaf", "position: leaf, checks: [validity]")],
            finds: "15:3: warning: policy 'strict' does not check 'path': anybody can make a certificate "
                + "for the host, send a copy of a pinned one behind it, and be believed; add 'path' to "
                + "'checks' [skipped-check]",
            "15:3: warning: policy 'strict' does not check 'host': anybody with a certificate for a "
                + "host of their own from the same authority is believed; add 'host' to 'checks' "
                + "[skipped-check]"
        ),
        Smell(
            "no path and no pins",
            ("loose: {}", "loose: { checks: [host, validity] }"),
            finds: "14:3: warning: policy 'loose' does not check 'path': anybody can make a certificate for "
                + "the host and be believed; add 'path' to 'checks' [skipped-check]"
        ),
        Smell(
            "no dates",
            ("position: leaf", "position: leaf, checks: [path, host]"),
            twin: [("position: leaf", "position: leaf, checks: [path, host, validity]")],
            finds: "15:3: warning: policy 'strict' does not check 'not-after': whoever steals a key is "
                + "believed for ever, long after its certificate has expired; add 'not-after' or 'validity' to 'checks' "
                + "[skipped-check]"
        ),
        Smell(
            "H24: no beginning of the dates, and no end",
            ("position: leaf", "position: leaf, checks: [path, host, not-before]"),
            twin: [("position: leaf", "position: leaf, checks: [path, host, not-after]")],
            finds: "15:3: warning: policy 'strict' does not check 'not-after': whoever steals a key is "
                + "believed for ever, long after its certificate has expired; add 'not-after' or 'validity' to 'checks' "
                + "[skipped-check]"
        ),
        Smell(
            "H22: a pinned host that nobody asks for",
            ("position: leaf", "position: leaf, hosts: [api.acme.example, old.acme.example]"),
            twin: [("position: leaf", "position: leaf, hosts: [acme.example], include-subdomains: true")],
            finds: "15:3: warning: policy 'strict' pins the host 'old.acme.example', and no step asks for it; add a "
                + "step with 'host: old.acme.example', or take it out [never-used]"
        ),
        Smell(
            "H3: one rule for every rejection",
            ("\"tool {url}\"", "\"tool {url}\", refused: { exit: [60, 90] }, refused-pin: { exit: [90, 60] }"),
            twin: [("\"tool {url}\"", "\"tool {url}\", refused: { exit: [60, 90] }, refused-pin: { exit: 90 }")],
            finds: "17:3: warning: client 'tool' blames its pins for every rejection: 'refused-pin' holds wherever "
                + "'refused' does; name in 'refused-pin' an exit status or a text that a pin alone brings about, or "
                + "leave it out [broad-pin-rule]"
        ),
        Smell(
            "H21: words that count at exit status 0",
            ("\"tool {url}\"", "\"tool {url}\", refused: { text: no }"),
            twin: [("\"tool {url}\"", "\"tool {url}\", refused: { text: no }, succeeded: { text: ok }")],
            finds:
                "17:3: warning: the texts in 'refused' of client 'tool' make a rejection of exit status 0 as well: where "
                + "it prints them and succeeds, it is misread; add 'exit', or if it always ends with 0, say what it prints "
                + "on success: succeeded: { text: … } [words-at-exit-zero]"
        ),
        Smell(
            "only reporting",
            ("position: leaf", "failure: report"),
            twin: [("loose: {}", "loose: { failure: report }")],
            finds: "15:3: warning: policy 'strict' only reports that no pin matches and goes on: an "
                + "attacker with a certificate from any trusted root reads everything; use 'failure: "
                + "block' [report-only]"
        ),
    ]
}
