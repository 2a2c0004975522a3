extension Mistake {
    static let scenarios = [
        Mistake(
            "[ { name: calm, steps: [ { present: today } ] } ]",
            "[]",
            "11:12: the file declares no scenarios"
        ),
        Mistake(
            "[ { name: calm, steps: [ { present: today } ] } ]",
            "{ calm: [] }",
            "11:12: expected a list of scenarios, found a mapping"
        ),
        Mistake(
            "[ { name: calm, steps: [ { present: today } ] } ]",
            "[ calm ]",
            "11:14: expected the settings of the scenario, found text"
        ),
        Mistake(
            "name: calm, ",
            "",
            "11:14: the scenario has no 'name'"
        ),
        Mistake(
            "name: calm, steps: [ { present: today } ]",
            "name: calm",
            "11:14: the scenario has no 'steps'"
        ),
        Mistake(
            "steps: [ { present: today } ]",
            "steps: []",
            "11:35: scenario 'calm' has no steps"
        ),
        Mistake(
            "name: calm",
            "name: calm, abuot: x",
            "11:28: unknown key 'abuot'; did you mean 'about'?"
        ),
        Mistake(
            "name: calm",
            "name: calm, about: [x]",
            "11:35: expected a description, found a list"
        ),
        Mistake(
            "name: calm",
            "name: calm, store: phnoe",
            "11:35: no store 'phnoe'; did you mean 'phone'?"
        ),
        Mistake(
            "name: calm",
            "name: calm, clients: [curl]",
            "11:38: no client 'curl'; known here: reference, tool; declare it, or leave out 'clients' to play the scenario "
                + "to all"
        ),
        Mistake(
            "name: calm",
            "name: calm, clients: []",
            "11:37: an empty list leaves nothing to do; leave it out for all clients"
        ),
        Mistake(
            "name: calm",
            "name: calm, policies: [pind]",
            "11:39: no policy 'pind'; known here: no-pins, pinned"
        ),
        Mistake(
            "present: today",
            "present: tody",
            "11:48: no chain 'tody'; did you mean 'today'?"
        ),
        Mistake(
            "present: today",
            "present: []",
            "11:48: this step presents nothing"
        ),
        Mistake(
            "present: today",
            "present: [today, tomorrow]",
            "11:56: no chain 'tomorrow'; known here: today"
        ),
        Mistake(
            "present: today",
            "present: leaf",
            "11:48: 'leaf' is a key, not a chain"
        ),
        Mistake(
            "present: today",
            "at: 5d",
            "11:37: the step has no 'present'"
        ),
        Mistake(
            "present: today",
            "present: today, at: soon",
            "11:59: 'soon' is not a duration; write a whole number and d, h, m or s, as in -30d or 12h"
        ),
        Mistake(
            "{ present: today }",
            "{ present: today, at: 5d }, { present: today }, { present: today, at: 4d }",

            "11:107: this step is at 4d, before the previous one at 5d"

        ),
        Mistake(
            "present: today",
            "present: today, store: attacked",
            "11:62: no store 'attacked'; known here: phone"
        ),
        Mistake(
            "present: today",
            "present: today, host: a_b",
            "11:61: 'a_b' is not a DNS name"
        ),
        Mistake(
            "present: today",
            "present: today, attempts: 0",
            "11:65: expected a number of attempts from 1 to 100, found 0"
        ),
        Mistake(
            "present: today",
            "present: today, attempts: 2.5",
            "11:65: expected a number of attempts from 1 to 100, found 2.5"
        ),
        Mistake(
            "present: today",
            "present: today, attempts: many",
            "11:65: expected a number of attempts, found text"
        ),
        Mistake(
            "present: today",
            "present: today, locks-out: none",
            "11:66: expected 'all' or a list of policies, found text"
        ),
        Mistake(
            "present: today",
            "present: today, locks-out: [pined]",
            "11:67: no policy 'pined'; did you mean 'pinned'?"
        ),
        Mistake(
            "present: today",
            "present: today, locks_out: all",
            "11:55: unknown key 'locks_out'; did you mean 'locks-out'?"
        ),
        Mistake(
            "present: today",
            "present: today, intercepts: [pinned, pinned]",
            "11:76: 'pinned' is listed twice"
        ),
        Mistake(
            "name: calm, steps: [ { present: today } ]",
            "name: calm, policies: [no-pins], steps: [ { present: today, intercepts: [pinned] } ]",

            "11:89: this scenario is not played with policy 'pinned'"

        ),
        Mistake(
            "name: calm",
            "name: calm, tags: [atack, quick, rotation, quick]",
            "11:35: 'atack' is not a tag; did you mean 'attack'?",
            "11:59: 'quick' is listed twice"
        ),
        Mistake(
            "name: calm",
            "name: calm, tags: [CWE-295, MASVS-NETWORK-2, MASTG-TEST-0244, CWE-x, MASVS-2]",
            "11:78: 'CWE-x' is not a tag; identifiers are written MASVS-NETWORK-2, MASTG-TEST-0244 or CWE-295",
            "11:85: 'MASVS-2' is not a tag; identifiers are written MASVS-NETWORK-2, MASTG-TEST-0244 or CWE-295"
        ),
        Mistake(
            "name: calm",
            "name: calm, references: [CVE-2016-2402, RFC 8446, RFC 8446 section 4.4.2, https://a.example/b, CVE 2016]",
            "11:111: 'CVE 2016' is not a reference; write CVE-2016-2402, RFC 8446 section 4.4.2, or an address that "
                + "begins with https://"
        ),
        Mistake(
            "name: calm",
            "name: calm, hurts: [x], prevented-by: {}",
            "11:35: expected whom it hurts, found a list",
            "11:54: expected what prevents it, found a mapping"
        ),
        Mistake(
            "host: api.acme.example",
            "host: api.acme.example\nplay: quik",
            "3:7: 'quik' is not a tag; did you mean 'quick'?"
        ),
    ]
}
