extension Mistake {
    static let shape = [
        Mistake(
            "host: api.acme.example\n",
            "",
            "1:1: the file has no 'host'"
        ),
        Mistake(
            "stores: { phone: { system: [acme-root] } }\n",
            "",
            "1:1: the file has no 'stores'"
        ),
        Mistake(
            "keys:",
            "kyes:",
            "1:1: the file has no 'keys'",
            "3:1: unknown key 'kyes'; did you mean 'keys'?"
        ),
        Mistake(
            "keys:",
            "colour: red\nkeys:",
            "3:1: unknown key 'colour'; known here: version, include, host, play, origin, collector, routes, others, reachable, upstream, tls, listeners, keys, authorities, stores, chains, policies, clients, scenarios"
        ),
        Mistake(
            "host: api",
            "host: api.other.example\nhost: api",
            "3:1: 'host' is given twice; first on line 2"
        ),
        Mistake(
            "spare: {}",
            "leaf: {}, spare: {}, leaf: {}",
            "3:19: 'leaf' is given twice; first on line 3",
            "3:40: 'leaf' is given twice; first on line 3"
        ),
        Mistake(
            "spare: {}",
            "? [a] : b, ? [a] : c",
            "3:21: a key of this mapping is given twice"
        ),
        Mistake(
            "keys: { leaf: {}, spare: {}, evil: { by: attacker } }",
            "keys: [leaf]",
            "3:7: expected keys by name, found a list"
        ),
        Mistake(
            "keys: { leaf: {}, spare: {}, evil: { by: attacker } }",
            "keys: {}",
            "3:7: the file declares no keys"
        ),
        Mistake(
            "keys: { leaf: {}, spare: {}, evil: { by: attacker } }",
            "keys:",
            "3:6: expected keys by name, found nothing"
        ),
        Mistake(
            "keys: { leaf: {}, spare: {}, evil: { by: attacker } }",
            "keys: leaf",
            "3:7: expected keys by name, found text"
        ),
        Mistake(
            "spare: {}",
            "spare: { by: atacker }",
            "3:32: 'atacker' is not a holder; did you mean 'attacker'?"
        ),
        Mistake(
            "spare: {}",
            "spare: { by: nobody }",
            "3:32: 'nobody' is not a holder; known here: owner, attacker"
        ),
        Mistake(
            "spare: {}",
            "spare: { type: p265 }",
            "3:34: 'p265' is not a key type; did you mean 'p256'?"
        ),
        Mistake(
            "spare: {}",
            "spare: { type: 2048 }",
            "3:34: expected a key type (p256, p384, p521, ed25519, ed448, rsa1024, rsa2048, rsa3072, rsa4096), found a number"
        ),
        Mistake(
            "acme-root: {}",
            "acme-root:",
            "6:13: expected the settings of authority 'acme-root', found nothing; write {} for none"
        ),
        Mistake(
            "spare: {}",
            "spare: p256",
            "3:26: expected the settings of key 'spare', found text"
        ),
        Mistake(
            "system: [acme-root]",
            "system: 5",
            "7:28: expected a list of authorities, found a number"
        ),
        Mistake(
            "system: [acme-root]",
            "system: acme-root",
            "7:28: expected a list of authorities, found text"
        ),
        Mistake(
            "host: api.acme.example",
            "host: api..example",
            "2:7: 'api..example' is not a DNS name"
        ),
        Mistake(
            "host: api.acme.example",
            "host: 127.0.0.1",
            "2:7: '127.0.0.1' is not a DNS name but an address; give the server a name, and lead the client here by an "
                + "option of its own or {proxy}"
        ),
        Mistake(
            "host: api.acme.example",
            "host: \"[::1]\"",
            "2:7: '[::1]' is not a DNS name but an address; give the server a name, and lead the client here by an "
                + "option of its own or {proxy}"
        ),
        Mistake(
            "host: api.acme.example",
            "host: \"api.example:443\"",
            "2:7: 'api.example:443' is not a DNS name; 'host' is a name such as api.acme.example; the URL's is api.example"
        ),
        Mistake(
            "host: api.acme.example",
            "host: \"*.acme.example\"",
            "2:7: '*.acme.example' is not a DNS name"
        ),
        // H30
        Mistake(
            "host: api.acme.example",
            "host: https://API.acme.example:8443/v1",
            "2:7: 'https://API.acme.example:8443/v1' is not a DNS name; 'host' is a name such as api.acme.example; the URL's "
                + "is API.acme.example"
        ),
        Mistake(
            "host: api.acme.example",
            "host: -a.example",
            "2:7: '-a.example' is not a DNS name"
        ),
        Mistake(
            "host: api.acme.example",
            "host: [a]",
            "2:7: expected a host name, found a list"
        ),
        Mistake(
            "host: api.acme.example",
            "host: 7",
            "2:7: expected a host name, found a number; quote it if it is meant"
        ),
    ]
}
