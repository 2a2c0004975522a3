extension Mistake {
    static let blueprint = [
        Mistake(
            "acme-issuing: { issuer: acme-root }",
            "acme-issuing: { issuer: leaf }",
            "5:27: 'leaf' is a key, not an authority"
        ),
        Mistake(
            "acme-issuing: { issuer: acme-root }",
            "acme-issuing: { issuer: today }",
            "5:27: 'today' is a chain, not an authority"
        ),
        Mistake(
            "acme-issuing: { issuer: acme-root }",
            "acme-issuing: { issuer: mallory }",
            "5:27: no authority 'mallory'; known here: acme-issuing, acme-root"
        ),
        Mistake(
            "acme-issuing: { issuer: acme-root }",
            "acme-issuing: { isuer: acme-root }",
            "5:19: unknown key 'isuer'; did you mean 'issuer'?"
        ),
        Mistake(
            "acme-root: {}",
            "acme-root: { issuer: acme-issuing }",
            "5:3: issuers go in a circle: acme-issuing -> acme-root -> acme-issuing; a root has none"
        ),
        Mistake(
            "acme-root: {}",
            "acme-root: { issuer: acme-root }",
            "6:3: issuers go in a circle: acme-root -> acme-root; a root has none"
        ),
        Mistake(
            "acme-root: {}",
            "acme-root: { key: leaf, type: p256 }",
            "6:33: 'type' means nothing beside 'key': the key has its type already"
        ),
        Mistake(
            "acme-root: {}",
            "acme-root: { key: acme-root }",
            "6:3: keys are taken in a circle: acme-root -> acme-root"
        ),
        Mistake(
            "acme-root: {}",
            "acme-root: { key: today }",
            "6:21: 'today' is a chain, not a key or authority"
        ),
        Mistake(
            "acme-root: {}",
            "acme-root: { subject: acme-issuin }",
            "6:25: no authority 'acme-issuin'; did you mean 'acme-issuing'?"
        ),
        Mistake(
            "acme-root: {}",
            "acme-root: { subject: acme-root }",
            "6:3: subjects are copied in a circle: acme-root -> acme-root"
        ),
        Mistake(
            "acme-root: {}",
            "acme-root: { subject: \"\" }",
            "6:25: a subject has 1 to 64 characters"
        ),
        Mistake(
            "acme-root: {}",
            "acme-root: { by: attacker, valid: [10d, -10d] }",
            "6:37: the window ends at -10d, which is not after its beginning at 10d"
        ),
        Mistake(
            "acme-root: {}",
            "acme-root: { valid: [10d, 10d] }",
            "6:23: the window ends at 10d, which is not after its beginning at 10d"
        ),
        Mistake(
            "acme-root: {}",
            "acme-root: { valid: [10d] }",
            "6:23: a window is a list of two, such as [-30d, 60d]; this one has 1"
        ),
        Mistake(
            "acme-root: {}",
            "acme-root: { valid: 10d }",
            "6:23: expected a window such as [-30d, 60d], found text"
        ),
        Mistake(
            "acme-root: {}",
            "acme-root: { valid: [10, 2w] }",
            "6:24: '10' is not a duration; write a whole number and d, h, m or s, as in -30d or 12h",
            "6:28: '2w' is not a duration; write a whole number and d, h, m or s, as in -30d or 12h"
        ),
        Mistake(
            "acme-root: {}",
            "acme-root: { valid: [[], 99999d] }",
            "6:24: expected a duration such as 90d, 12h, 30m or 45s, found a list",
            "6:28: '99999d' is more than a hundred years"
        ),
        Mistake(
            "acme-root: {}",
            "acme-root: { valid: [-9223372036854775808s, 99999999999999999999d] }",
            "6:24: '-9223372036854775808s' is more than a hundred years",
            "6:47: '99999999999999999999d' is not a duration; write a whole number and d, h, m or s, as in -30d or 12h"
        ),
        Mistake(
            "phone: { system: [acme-root] }",
            "phone: {}",
            "7:18: store 'phone' has no anchors: nothing would be trusted"
        ),
        Mistake(
            "phone: { system: [acme-root] }",
            "phone: { system: [] }",
            "7:18: store 'phone' has no anchors: nothing would be trusted"
        ),
        Mistake(
            "phone: { system: [acme-root] }",
            "phone: { systems: [acme-root] }",
            "7:20: unknown key 'systems'; did you mean 'system'?"
        ),
        Mistake(
            "phone: { system: [acme-root] }",
            "phone: { system: [acme-root], user: [acme-root] }",
            "7:48: 'acme-root' is an anchor of this store already"
        ),
        Mistake(
            "phone: { system: [acme-root] }",
            "phone: { system: [leaf] }",
            "7:29: 'leaf' is a key, not an authority"
        ),
        Mistake(
            "key: leaf, issuer",
            "key: lef, issuer",
            "8:25: no key 'lef'; did you mean 'leaf'?"
        ),
        Mistake(
            "key: leaf, issuer",
            "key: acme-root, issuer",
            "8:25: 'acme-root' is an authority, not a key"
        ),
        Mistake(
            "key: leaf, issuer",
            "issuer",
            "8:18: chain 'today' has no 'key'"
        ),
        Mistake(
            "issuer: acme-issuing }",
            "issuer: leaf }",
            "8:39: 'leaf' is a key, not an authority"
        ),
        Mistake(
            "issuer: acme-issuing }",
            "issuer: acme-issuing, append: [today] }",
            "8:11: chains are made of each other: today -> today"
        ),
        Mistake(
            "issuer: acme-issuing }",
            "issuer: self, append: [b] }, a: { key: leaf, issuer: self, append: [b] }, b: { key: leaf, issuer: self, append: [a] }",

            "8:60: chains are made of each other: a -> b -> a"

        ),
        Mistake(
            "issuer: acme-issuing }",
            "issuer: acme-root, omit: [acme-issuing] }",
            "8:11: chain 'today' cannot omit 'acme-issuing', which did not issue it"
        ),
        Mistake(
            "issuer: acme-issuing }",
            "issuer: self, omit: [acme-issuing, acme-issuing] }",
            "8:11: chain 'today' cannot omit 'acme-issuing', which did not issue it",
            "8:66: 'acme-issuing' is listed twice"
        ),
        Mistake(
            "issuer: acme-issuing }",
            "issuer: self, order: backwards }",
            "8:52: 'backwards' is not an order; known here: normal, reversed"
        ),
        Mistake(
            "issuer: acme-issuing }",
            "issuer: self, names: [a.example, \"*.b.example\", \"a*.example\"] }",
            "8:79: 'a*.example' is not a DNS name; write 'dns:' before it if it is meant"
        ),
        Mistake(
            "issuer: acme-issuing }",
            "issuer: self, names: a.example }",
            "8:52: expected a list of DNS names, found text"
        ),
        Mistake(
            "issuer: acme-issuing }",
            "issuer: self, names: [\"ip:1.2.3\", \"node-{9..1}.example\", \"uri:\"] }",
            "8:53: 'ip:1.2.3' is not an address",
            "8:65: 'node-{9..1}.example' is no range: two numbers that rise, as in {1..500}",
            "8:88: 'uri:' names nothing"
        ),
        Mistake(
            "issuer: acme-issuing }",
            "issuer: acme-issuing, digest: md5 }",
            "8:11: chain 'today' is signed by a key of type p256, and only RSA signs with MD5"
        ),
        Mistake(
            "issuer: acme-issuing }",
            "issuer: self, ocsp: good }",
            "8:51: nobody answers for a certificate that signs itself"
        ),
        Mistake(
            "issuer: acme-issuing }",
            "issuer: acme-issuing }, copy: { leaf: today, key: leaf }",
            "8:55: 'leaf' is the key of 'today' already; leave it out"
        ),
        Mistake(
            "issuer: acme-issuing }",
            "issuer: acme-issuing, version: 1, usage: [crl-sign] }",
            "8:62: 'usage' means nothing in version 1, which has no extensions"
        ),
        Mistake(
            "acme-root: {}",
            "acme-root: { levels: 3 }",
            "6:24: a root has one level; give it an 'issuer'"
        ),
    ]
}
