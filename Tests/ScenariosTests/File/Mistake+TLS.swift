import TestSupport
import Testing

extension Mistake {
    static let tls = [
        Mistake(
            "host: api",
            "listeners: { MQTT: 'a.example:1' }\nhost: api",
            "2:14: 'MQTT' is no name of a listener; write small letters and digits"
        ),
        Mistake(
            "host: api",
            "listeners: { mqtt: a.example }\nhost: api",
            "2:20: 'a.example' is no place; write a host and a port, as in mqtt.acme.example:8883"
        ),
        Mistake(
            "host: api",
            "listeners: { a: 'a.example:1', b: 'b.example:1' }\nhost: api",
            "2:12: port 1 has a listener already"
        ),
        Mistake(
            "tool {url}",
            "tool {port.mqtt}",
            "10:57: no placeholder {port.mqtt}; there are {canary}, {cert}, {cert.sha1}, {collector}, {collector.https}, {dir}, "
                + "{endpoint}, {fingerprint}, {fingerprints}, {here}, {host}, {key}, {pin}, {pin.hex}, {pins}, {pins.hex}, "
                + "{policy}, {port}, {proxy}, {socks}, {step}, {trust}, {trust.system}, {trust.user}, {url} (character 6)"
        ),
        Mistake("host: api", "tls: {}\nhost: api", "2:6: these settings limit nothing; leave 'tls' out"),
        Mistake(
            "host: api",
            "upstream: { url: 'https://a.example', key: k.pem }\nhost: api",
            "2:11: say who vouches for it: 'trust' names a PEM file of its roots",
            "2:44: 'certificate' and 'key' go together"
        ),
        Mistake(
            "{ present: today }",
            "{ present: today, tls: {} }",
            "11:60: these settings limit nothing; leave 'tls' out"
        ),
        Mistake(
            "{ present: today }",
            "{ present: today, tls: { groups: P-257 } }",
            "11:70: OpenSSL knows nothing of the key-exchange group 'P-257'"
        ),
        Mistake(
            "{ present: today }",
            "{ present: today, tls: { version: 1.3, ciphers: [ECDHE-ECDSA-AES128-SHA] } }",
            "11:85: these cipher suites belong to other versions of TLS than the step speaks"
        ),
        Mistake(
            "{ present: today }",
            "{ present: today, tls: { version: [1.2, 1.1] } }",
            "11:71: expected the lowest and the highest version of TLS, as in [1.0, 1.2]"
        ),
        Mistake(
            "{ present: today }",
            "{ present: today, chosen-by: hello }",
            "11:66: there is nothing to choose from; present two chains or more"
        ),
        hidden(
            "chosen-by: hello",
            "whether this attacker's chain is ever shown depends on the hello: give it a step of its own"
        ),
        hidden(
            "handshake: { hang: client-hello }",
            "nobody is shown this attacker's chain, because no handshake is finished: say which, as in times: 1"
        ),
        Mistake(
            "{ present: today }",
            "{ present: today, handshake: { times: 1 } }",
            "11:66: a handshake has either a 'delay', or the message after which it does 'hang', 'reset' or 'close'"
        ),
        Mistake(
            "{ present: today }",
            "{ present: today, handshake: { hang: client-hello, reset: client-hello } }",
            "11:66: a handshake has either a 'delay', or the message after which it does 'hang', 'reset' or 'close'"
        ),
        hidden(
            "handshake: { reset: server-hello }",
            "nobody is shown this attacker's chain, because no handshake is finished: say which, as in times: 1"
        ),
        Mistake(
            "{ present: today }",
            "{ present: today, handshake: { delay: 61s } }",
            "11:75: an answer is held back for 60s at most"
        ),
        Mistake(
            "name: calm,",
            "name: calm, variants: { tls: [1.2] },",
            "11:14: scenario 'calm' shows no attacker's chain, so its variants change nothing"
        ),
        Mistake(
            "name: calm,",
            "name: calm, variants: {},",
            "11:38: these variants change nothing; leave 'variants' out"
        ),
    ]

    /// A step that shows an attacker's chain, but may show it to nobody.
    private static func hidden(_ setting: String, _ expected: String) -> Mistake {
        let chains = sound.changing(
            "today: {",
            to: "forged: { key: evil, issuer: acme-issuing }, today: {",
            first: true
        )
        return Mistake(
            text: chains.changing("{ present: today }", to: "{ present: [today, forged], \(setting) }", first: true),
            "11:37: \(expected)"
        )
    }
}
