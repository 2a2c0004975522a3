extension Smell {
    static let proof = [
        Smell(
            "no control",
            ("user: [mallory] }", "user: [mallory] }, stranger: { system: [mallory] }"),
            ("{ name: attack, ", "{ name: attack, store: stranger, "),
            twin: [
                ("user: [mallory] }", "user: [mallory] }, stranger: { system: [mallory, root] }"),
                ("{ name: attack, ", "{ name: attack, store: stranger, "),
            ],
            finds:
                "20:47: warning: with the policies 'loose' and 'strict' a rejection here proves nothing: no chain of the "
                + "owner is accepted for 'api.acme.example' with the store 'stranger', and a broken client would reject "
                + "as well; declare a chain of the owner that they accept there, or leave the policies out of the "
                + "scenario [no-control]"
        ),
        Smell(
            "pins that decide nothing",
            ("user: [mallory] }", "}"),
            finds: "15:3: warning: the pins of policy 'strict' decide nothing: every step in this file "
                + "would end the same without them, so a client that ignores its pins passes; add a step "
                + "that only these pins reject, such as an attacker's chain from a root in the store "
                + "[pin-not-exercised]"
        ),
        Smell(
            "a client whose pins decide nothing",
            ("tool: { run: \"tool {url}\" }", "tool: { run: \"tool {url}\" }\n  lazy: { run: \"lazy {url}\" }"),
            ("{ name: attack, ", "{ name: attack, clients: [tool], "),
            twin: [("tool: { run: \"tool {url}\" }", "tool: { run: \"tool {url}\" }\n  lazy: { run: \"lazy {url}\" }")],
            finds: "18:3: warning: client 'lazy' plays no step that the pins of policy 'strict' decide, so it "
                + "passes even if it ignores them; let it play a scenario that shows an attacker's chain from a root "
                + "in the store [pin-not-exercised]"
        ),
        Smell(
            "a pin written out",
            ("[leaf, spare]", "[leaf, spare, sha256/r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E=]"),
            finds: "15:3: warning: policy 'strict' writes out the pin "
                + "sha256/r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E=, and no key of this file can have "
                + "it: all keys are made anew for each run; declare a key and pin it by its name "
                + "[moving-target]"
        ),
        Smell(
            "a pin in a command",
            ("tool {url}", "tool --pin sha256//r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E= {url}"),
            twin: [("tool {url}", "tool [--pin {pins}] --pins-of sha256//abc {url}")],
            finds: "17:3: warning: client 'tool' has the pin "
                + "sha256//r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E= written out in 'run', and no chain "
                + "of this file can match it: all keys are made anew for each run; use {pins} and name the "
                + "policy, or have the client read its pins from a file [moving-target]"
        ),
        Smell(
            "a pin and a date in the environment",
            (
                "\"tool {url}\"",
                "\"tool {url}\", env: { PINS: \"a,sha256/r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E=\", NOW: \"2027-01-31\" }"
            ),
            twin: [("\"tool {url}\"", "\"tool {url}\", env: { PINS: \"{pins}\", NOW: now }")],
            finds: "17:3: warning: client 'tool' has the date 2027-01-31 written out in 'env' NOW: steps "
                + "are shown at the real time of the run, with certificates moved to it, so a fixed date "
                + "means something else every day; leave the date out [moving-target]",
            "17:3: warning: client 'tool' has the pin "
                + "sha256/r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E= written out in 'env' PINS, and no "
                + "chain of this file can match it: all keys are made anew for each run; use {pins} and "
                + "name the policy, or have the client read its pins from a file [moving-target]"
        ),
        Smell(
            "a date in a command",
            ("tool {url}", "faketime '2027-01-31 12:00:00' tool {url}"),
            twin: [("tool {url}", "/opt/builds/2027-01-31/tool --build tool-2027-01-31 {url}")],
            finds: "17:3: warning: client 'tool' has the date 2027-01-31 written out in 'run': steps are "
                + "shown at the real time of the run, with certificates moved to it, so a fixed date means "
                + "something else every day; leave the date out [moving-target]"
        ),
        Smell(
            "a certificate pin that follows",
            ("[leaf, spare], position: leaf", "[today, moved], match: certificate"),
            ("{ present: moved, at: 1d }", "{ present: moved, at: 1d }, { present: today, at: 2d }"),
            twin: [("[leaf, spare], position: leaf", "[today, moved], match: certificate")],
            finds: "15:3: warning: policy 'strict' pins the certificate of 'today', which scenario 'calm' "
                + "shows at several times and which is made anew for each: the pin follows it, so nobody "
                + "is ever locked out by a renewal; give 'today' a 'valid', and declare each renewal as a "
                + "chain of its own [moving-target]"
        ),
    ]
}
