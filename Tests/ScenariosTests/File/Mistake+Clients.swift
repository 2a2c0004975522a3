import TestSupport

extension Mistake {
    static let clients = [
        // H30
        Mistake(
            text: sound.changing("{ run: \"tool {url}\" }", to: "{ run: {here}/app {url} }"),
            "10:57: a value that begins with a brace needs quotes, as in \"{here}/app …\""
        ),
        Mistake(
            text: "version: 1\nclients:\n  app:\n    run: {here}/app {url}\n    refused: { exit: 1 }\n",
            "4:10: a value that begins with a brace needs quotes, as in \"{here}/app …\""
        ),
        Mistake(
            "run: \"tool {url}\"",
            "run: {url}",
            "10:57: expected a command line, found a mapping; a text that begins with a brace needs quotes"
        ),
        Mistake(
            "scenarios: [ { name: calm, steps",
            "scenarios: [ { name: wild, clients: [curl, reference, wget], steps: [ { present: today } ] }, { name: calm, clients: [git, tools], steps",
            "11:38: no client 'curl', 'wget', 'git'; known here: reference, tool; declare them, or leave out 'clients' to play "
                + "the scenario to all",
            "11:124: no client 'tools'; did you mean 'tool'?"
        ),
        Mistake(
            "kind: reference",
            "kind: attended, ask: Log in., run: app, silent: true",
            "10:60: 'run' means nothing for an attended client",
            "10:73: 'silent' means nothing for an attended client"
        ),
        Mistake("kind: reference", "run: app, ask: Log in.", "10:40: 'ask' means nothing for a command"),
        Mistake(
            "kind: reference",
            "kind: reference, deviates: [ { scenarios: [clam], because: It does. } ]",
            "10:68: no scenario is called 'clam'; did you mean 'calm'?"
        ),
        Mistake(
            "kind: reference",
            "kind: reference, deviates: [ { scenarios: [c*m, 'calm [TLS 1.0]', 'x*'], because: It does. } ]",
            "10:91: no scenario is called 'x*'; known here: calm"
        ),
        Mistake(
            "kind: reference",
            "kind: reference, deviates: [ { scenarios: [calm] } ]",
            "10:54: the deviation has no 'because'"
        ),
        Mistake(
            "kind: reference",
            "kind: reference, deviates: [ { scenarios: [], because: It does., verdict: pass } ]",
            "10:54: an empty list concerns no scenario",
            "10:99: 'pass' is not a deviation; known here: fail, inconclusive"
        ),
        Mistake(
            "kind: reference",
            "kind: reference, version: reference --version",
            "10:51: 'version' means nothing for a reference client"
        ),
        Mistake(
            "run: \"tool {url}\"",
            "run: \"tool {url}\", version: \"tool {url}\"",
            "10:80: no placeholder {url}; there are {here} (character 6)"
        ),
        Mistake(
            "kind: reference",
            "kind: referense",
            "10:31: 'referense' is not a kind of client; did you mean 'reference'?"
        ),
        Mistake(
            "kind: reference",
            "kind: reference, run: tool",
            "10:47: 'run' means nothing for a reference client"
        ),
        Mistake(
            "kind: reference",
            "kind: command",
            "10:23: client 'reference' has no 'run'"
        ),
        Mistake(
            "kind: reference",
            "policies: [pinned]",
            "10:23: client 'reference' has no 'run'; the embedded client is 'kind: reference'"
        ),
        Mistake(
            "kind: reference",
            "kind: reference, policies: [pined]",
            "10:53: no policy 'pined'; did you mean 'pinned'?"
        ),
        Mistake(
            "kind: reference",
            "kind: reference, policies: [pinned, pinned]",
            "10:61: 'pinned' is listed twice"
        ),
        Mistake(
            "kind: reference",
            "kind: reference, policies: []",
            "10:52: an empty list leaves nothing to do; leave it out for all policies"
        ),
        Mistake(
            "run: \"tool {url}\"",
            "run: \" \"",
            "10:57: the command line is empty"
        ),
        Mistake(
            "run: \"tool {url}\"",
            "run: [tool]",
            "10:57: expected a command line, found a list"
        ),
        Mistake(
            "run: \"tool {url}\"",
            "rum: tool",
            "10:50: client 'tool' has no 'run'; the embedded client is 'kind: reference'",
            "10:52: unknown key 'rum'; did you mean 'run'?"
        ),
        Mistake(
            "run: \"tool {url}\"",
            "run: tool, refused: {}",
            "10:72: 'refused' needs 'exit' or 'text'"
        ),
        Mistake(
            "run: \"tool {url}\"",
            "run: tool, refused: 60",
            "10:72: expected the settings of 'refused', found a number"
        ),
        Mistake(
            "run: \"tool {url}\"",
            "run: tool, refused: { exit: 0 }",
            "10:80: expected an exit status from 1 to 255, found 0"
        ),
        Mistake(
            "run: \"tool {url}\"",
            "run: tool, refused: { exit: [1, 256, x] }",
            "10:84: expected an exit status from 1 to 255, found 256",
            "10:89: expected an exit status, found text"
        ),
        Mistake(
            "run: \"tool {url}\"",
            "run: tool, refused: { exit: [] }",
            "10:80: an empty list matches nothing"
        ),
        Mistake(
            "run: \"tool {url}\"",
            "run: tool, refused: { text: \"(a\" }",
            "10:80: '(a' is not a regular expression: expected ')'"
        ),
        Mistake(
            "run: \"tool {url}\"",
            "run: tool, refused: { text: \"x*\" }",
            "10:80: 'x*' matches every text, and so every end of the client"
        ),
        Mistake(
            "run: \"tool {url}\"",
            "run: tool, refused: { text: [ok, \"*\"] }",
            "10:85: '*' is not a regular expression: quantifier '*' must appear after expression"
        ),
        Mistake(
            "run: \"tool {url}\"",
            "run: tool, refused: { text: \(String(repeating: "(", count: 501)) }",
            "10:80: a regular expression has at most 500 characters"
        ),
        Mistake(
            "run: \"tool {url}\"",
            "run: tool, refused: { test: a }",
            "10:74: unknown key 'test'; did you mean 'text'?"
        ),
        Mistake(
            "run: \"tool {url}\"",
            "run: tool, silent: true, refused-pin: { exit: 90 }",
            "10:90: 'refused-pin' means nothing for a silent client"
        ),
        Mistake(
            "run: \"tool {url}\"",
            "run: tool, silent: true, succeeded: { exit: 0 }",
            "10:88: 'succeeded' means nothing for a silent client"
        ),
        Mistake(
            "run: \"tool {url}\"",
            "run: tool, silent: yes",
            "10:71: expected true or false, found text"
        ),
        Mistake(
            "run: \"tool {url}\"",
            "run: tool, lifetime: forever",
            "10:73: 'forever' is not a lifetime; known here: attempt, trial"
        ),
        Mistake(
            "run: \"tool {url}\"",
            "run: tool, timeout: 0s",
            "10:72: '0s' is no time limit; write 10s, 500ms or 2m, more than nothing and at most 24h (a number alone is seconds)"
        ),
        Mistake(
            "run: \"tool {url}\"",
            "run: tool, timeout: 2d",
            "10:72: '2d' is no time limit; write 10s, 500ms or 2m, more than nothing and at most 24h (a number alone is seconds)"
        ),
        Mistake(
            "run: \"tool {url}\"",
            "run: tool, env: [A]",
            "10:68: expected variables by name, found a list"
        ),
        Mistake(
            "run: \"tool {url}\"",
            "run: tool, env: { A-B: 1, C: [] }",
            "10:70: 'A-B' is not the name of a variable",
            "10:81: expected the value of a variable, found a list"
        ),
    ]
}
