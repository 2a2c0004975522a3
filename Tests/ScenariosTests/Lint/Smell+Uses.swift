extension Smell {
    static let uses = [
        Smell(
            "a key",
            ("spare: {}", "spare: {}, lost: {}"),
            finds: "3:30: warning: no chain, authority or policy has the key 'lost'; use it or take it out "
                + "[never-used]"
        ),
        Smell(
            "an authority",
            ("  other: {}", "  other: {}\n  third: {}"),
            finds: "7:3: warning: the authority 'third' vouches for nothing, and nobody trusts or pins it; "
                + "use it or take it out [never-used]"
        ),
        Smell(
            "a store",
            ("user: [mallory] }", "user: [mallory] }, tablet: { system: [root] }"),
            finds: "8:62: warning: no step has the store 'tablet'; name it in a scenario or a step, or take "
                + "it out [never-used]"
        ),
        Smell(
            "a chain",
            ("  forged:", "  again: { key: leaf, issuer: other }\n  forged:"),
            twin: [
                ("  forged:", "  again: { key: leaf, issuer: other }\n  forged:"),
                ("{ key: evil, issuer: mallory }", "{ key: evil, issuer: mallory, append: [again] }"),
            ],
            finds: "12:3: warning: no step shows the chain 'again'; add a step that does, or take it out "
                + "[never-used]"
        ),
        Smell(
            "a policy",
            ("tool: {", "tool: { policies: [strict],"),
            twin: [("tool: {", "tool: { policies: [strict, loose],")],
            finds: "14:3: warning: policy 'loose' is never played: every scenario or client leaves it out; "
                + "name it where it belongs, or take it out [never-used]"
        ),
        Smell(
            "a client",
            ("tool: { run: \"tool {url}\" }", "tool: { run: \"tool {url}\" }\n  toy: { kind: reference }"),
            ("calm, ", "calm, clients: [tool], "),
            ("attack, ", "attack, clients: [tool], "),
            twin: [
                ("tool: { run: \"tool {url}\" }", "tool: { run: \"tool {url}\" }\n  toy: { kind: reference }"),
                ("calm, ", "calm, clients: [tool], "),
            ],
            finds: "18:3: warning: client 'toy' is never tried: every scenario leaves it or its policies "
                + "out; name it or its policies in a scenario, or take it out [never-used]"
        ),
        Smell(
            "a scenario",
            (
                "tool: { run: \"tool {url}\" }",
                "tool: { run: \"tool {url}\" }\n  toy: { kind: reference, policies: [loose] }"
            ),
            ("calm, ", "calm, policies: [strict], clients: [toy], "),
            ("{ present: forged }", "{ present: forged }, { present: moved }"),
            twin: [
                (
                    "tool: { run: \"tool {url}\" }",
                    "tool: { run: \"tool {url}\" }\n  toy: { kind: reference, policies: [loose] }"
                ),
                ("calm, ", "calm, policies: [loose], clients: [toy], "),
                ("{ present: forged }", "{ present: forged }, { present: moved }"),
            ],
            finds: "20:5: warning: scenario 'calm' is never played: none of its clients can be given one of "
                + "its policies; give it a policy and a client that go together [no-trial]"
        ),
        Smell(
            "a pinned key that no step shows",
            ("{ present: moved, at: 1d }", "{ present: today }"),
            ("  moved: { key: spare, issuer: other }\n", ""),
            finds: "14:3: warning: policy 'strict' pins 'spare', and no step shows that key: whether the "
                + "pin works is not known; add a step that shows a chain with it [never-used]"
        ),
        Smell(
            "a key of two",
            ("  other: {}", "  other: { key: spare }"),
            twin: [("mallory: { by: attacker }", "mallory: { by: attacker, key: evil }")],
            finds: "3:19: warning: the key 'spare' belongs to a server (chain 'moved') and to the authority "
                + "'other': a pin on the server's key cannot be told from a pin on the authority; give the "
                + "authority a key of its own [shared-key]"
        ),
    ]
}
