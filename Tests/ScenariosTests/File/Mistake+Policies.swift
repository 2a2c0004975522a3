extension Mistake {
    static let policies = [
        Mistake(
            "pins: [leaf]",
            "pins: []",
            "9:42: no pin at all would reject every server; write {} for a policy without pins"
        ),
        Mistake(
            "pins: [leaf]",
            "pins: [laef]",
            "9:43: no key or authority 'laef'; did you mean 'leaf'?"
        ),
        Mistake(
            "pins: [leaf]",
            "pins: [today]",
            "9:43: 'today' is a chain, not a key or authority"
        ),
        Mistake(
            "pins: [leaf]",
            "pins: leaf",
            "9:42: expected a list of pins, found text"
        ),
        Mistake(
            "pins: [leaf]",
            "pins: [{}]",
            "9:43: expected the name of a key or authority, found a mapping"
        ),
        Mistake(
            "pins: [leaf]",
            "pins: [sha256/abc]",
            "9:43: not a pin: 'sha256/abc' is neither Base64 nor hexadecimal"
        ),
        Mistake(
            "pins: [leaf]",
            "pins: [sha256/YWJj]",
            "9:43: not a pin: 'sha256/YWJj' holds 3 bytes; a SHA-256 pin holds 32"
        ),
        Mistake(
            "pins: [leaf]",
            "pins: [leaf], match: certificate",
            "9:43: 'leaf' is a key, not a chain or authority"
        ),
        Mistake(
            "pins: [leaf]",
            "pins: [sha256/r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E=], match: certificate",

            "9:43: a written-out pin is the pin of a key; it needs 'match: key'"

        ),
        Mistake(
            "pins: [leaf]",
            "pins: [leaf], match: subject",
            "9:57: 'subject' is not a match; known here: key, certificate"
        ),
        Mistake(
            "pins: [leaf]",
            "pins: [leaf], position: root",
            "9:60: 'root' is not a position; known here: leaf, authority, any"
        ),
        Mistake(
            "pins: [leaf]",
            "pins: [leaf], search: presented",
            "9:58: 'presented' is not a search; known here: verified-path, presented-chain"
        ),
        Mistake(
            "pins: [leaf]",
            "position: leaf",
            "9:46: 'position' means nothing without 'pins'"
        ),
        Mistake(
            "pins: [leaf]",
            "require: [ { pins: [leaf] } ], position: leaf",
            "9:77: 'position' belongs in an entry of 'require'"
        ),
        Mistake(
            "pins: [leaf]",
            "require: []",
            "9:45: 'require' is empty; write {} for a policy without pins"
        ),
        Mistake(
            "pins: [leaf]",
            "require: { pins: [leaf] }",
            "9:45: expected a list of requirements, found a mapping"
        ),
        Mistake(
            "pins: [leaf]",
            "require: [ { position: leaf } ]",
            "9:47: the requirement has no 'pins'"
        ),
        Mistake(
            "pins: [leaf]",
            "require: [ leaf ]",
            "9:47: expected the settings of the requirement, found text"
        ),
        Mistake(
            "pins: [leaf]",
            "pins: [leaf], checks: [path, hots]",
            "9:65: 'hots' is not a check; did you mean 'host'?"
        ),
        Mistake(
            "pins: [leaf]",
            "pins: [leaf], hosts: []",
            "9:57: an empty list pins no host; leave it out for all hosts"
        ),
        Mistake(
            "pins: [leaf]",
            "pins: [leaf], include-subdomains: true",
            "9:70: 'include-subdomains' means nothing without 'hosts'"
        ),
        Mistake(
            "pins: [leaf]",
            "hosts: [api.acme.example]",
            "9:43: 'hosts' means nothing without pins"
        ),
        Mistake(
            "pins: [leaf]",
            "pins: [leaf], failure: warn",
            "9:59: 'warn' is not a failure; known here: block, report"
        ),
        Mistake(
            "pins: [leaf]",
            "pins: [leaf], exempt: [users]",
            "9:59: 'users' is not an origin; did you mean 'user'?"
        ),
        Mistake(
            "pins: [leaf]",
            "pins: [leaf], stack: opensll",
            "9:57: 'opensll' is not a TLS stack; did you mean 'openssl'?"
        ),
        Mistake(
            "pins: [leaf]",
            "pin: [leaf]",
            "9:36: unknown key 'pin'; did you mean 'pins'?"
        ),
        Mistake(
            "key: leaf, issuer: acme-issuing } }\npolicies: { no-pins: {}, pinned: { pins: [leaf]",
            "key: leaf, issuer: self }, acme-root: { key: leaf, issuer: self } }\n"
                + "policies: { no-pins: {}, pinned: { pins: [acme-root], match: certificate",

            "9:43: 'acme-root' is a chain and an authority; a certificate pin could mean either"

        ),
        Mistake(
            "pins: [leaf]",
            "device: mac",
            "9:44: 'device' means nothing without 'file'"
        ),
        Mistake(
            "pins: [leaf]",
            "file: a.plist, device: max",
            "9:42: a.plist: policy files cannot be read here",
            "9:59: no device setting 'max'; did you mean 'mac'?"
        ),
    ]
}
