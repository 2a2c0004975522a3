import Testing

extension Mistake {
    private static func origin(_ entry: String, _ expected: String) -> Mistake {
        Mistake("steps: [ { present: today } ]", "steps: [ { present: today } ], origin: { \(entry) }", expected)
    }

    private static func also(_ hosts: String, _ expected: String) -> Mistake {
        Mistake("present: today", "present: today, also: \(hosts)", expected)
    }

    static let origins = [
        Mistake(
            "name: calm",
            "name: calm, origin: relay",
            "11:36: there is nobody to relay to; write 'upstream: { url: … }' at the top"
        ),
        Mistake(
            "host: api",
            "upstream: { url: a.example }\nhost: api",
            "2:18: 'a.example' names no server; write https://host:port or http://host:port"
        ),
        Mistake(
            "host: api",
            "upstream: { url: 'https://a.example' }\nhost: api",
            "2:11: say who vouches for it: 'trust' names a PEM file of its roots"
        ),
        Mistake(
            "host: api",
            "others: hide\nhost: api",
            "2:9: 'hide' is not a treatment; known here: present, pass, refuse"
        ),
        Mistake(
            "host: api",
            "routes: { 'a b': pass }\nhost: api",
            "2:11: 'a b' names no hosts; write example.org, '*.example.org', ':8883' or 'example.org:8883'"
        ),
        Mistake(
            "host: api",
            "reachable: [here]\nhost: api",
            "2:13: 'here' is no address; write 127.0.0.1, 10.0.0.0/8 or '::1'"
        ),
        Mistake("name: calm", "name: calm, origin: {}", "11:36: this origin has no routes; leave 'origin' out"),
        origin("/a: {}", "11:69: '/a' is not a route; write a method and a path, as in 'GET /a'"),
        origin(
            "CONNECT /a: {}",
            "11:69: 'CONNECT /a' is not a route; write a method and a path, as in 'GET /v1/items'"
        ),
        origin("GET a: {}", "11:69: a route's path begins with '/' and has no '?' or '#': 'a'"),
        origin("\"GET /a?b\": {}", "11:69: a route's path begins with '/' and has no '?' or '#': '/a?b'"),
        origin("GET /a: []", "11:77: 'GET /a' has no answer"),
        origin("GET /a: [ {}, {} ]", "11:79: the answers behind this one are never given; say 'times'"),
        origin("GET /a: { status: 99 }", "11:87: expected a status from 200 to 599, found 99"),
        origin("GET /a: { times: 0 }", "11:86: expected a number of requests from 1 to 1000000, found 0"),
        origin("GET /a: { delay: 61s }", "11:86: an answer is held back for 60s at most"),
        origin("GET /a: { body: x, status: 204 }", "11:96: an answer with status 204 has no body"),
        origin("GET /a: { body: x, file: y }", "11:94: 'file' means nothing beside 'body'"),
        origin("GET /a: { file: y }", "11:85: y: files with answers cannot be read here"),
        origin("GET /a: { redirect: 'ftp://x' }", "11:89: 'ftp://x' is not a URL; begin with https://, http:// or /"),
        origin(
            "GET /a: { redirect: 'https://{hots}/' }",
            "11:89: no placeholder {hots}; did you mean {host}?"
        ),
        origin(
            "GET /a: { redirect: /b, status: 200 }",
            "11:101: a redirect has one of the statuses 301, 302, 303, 307, 308"
        ),
        origin(
            "GET /a: { failure: in-body }",
            "11:88: there is no body to break off in; give the answer a 'body' of two bytes or more"
        ),
        origin(
            "GET /a: { failure: no-answer, status: 200 }",
            "11:107: 'status' means nothing beside 'failure: no-answer'"
        ),
        origin(
            "GET /a: { failure: soon }",
            "11:88: 'soon' is not a failure; known here: no-answer, after-head, in-body"
        ),
        origin("GET /a: { headers: { 'x y': z } }", "11:90: 'x y' is not the name of a header"),
        origin(
            "GET /a: { headers: { content-length: 1 } }",
            "11:90: 'content-length' follows from the body; leave it out"
        ),
        origin(
            "GET /a: { redirect: 'https://{endpoint}/' }",
            "11:89: no certificate is for the address '{endpoint}'; write {host}:{port}"
        ),
        also("{}", "11:61: 'also' needs a host and its chain, as in { other.example: today }"),
        also("{ other.example: tody }", "11:78: no chain 'tody'; did you mean 'today'?"),
        also(
            "{ API.acme.example.: today }",
            "11:63: 'api.acme.example' is the step's own host, for which 'present' is"
        ),
        Mistake("name: calm", "name: calm, budget: {}", "11:36: a budget needs 'connections' or 'requests'"),
        Mistake(
            "present: today",
            "present: today, budget: { connections: 0 }",
            "11:78: expected a number of connections from 1 to 4096, found 0"
        ),
    ]
}

@Suite struct `An origin in a scenario file` {
    @Test(arguments: Mistake.origins) func `is held to the rules`(mistake: Mistake) { mistake.check() }
}

extension Mistake {
    static let collectors = [
        Mistake(
            "present: today",
            "present: today, reports: true",
            "11:64: nobody takes reports; write 'collector: trustkit' at the top"
        ),
        Mistake(
            "run: \"tool {url}\"",
            "run: \"tool {url} {collector}\"",
            "10:57: there is no {collector}; write 'collector: trustkit' at the top"
        ),
        Mistake(
            "version: 1",
            "version: 1\ncollector: trust",
            "2:12: 'trust' is not a form of reports; known here: trustkit"
        ),
    ]
}

@Suite struct `A collector in a scenario file` {
    @Test(arguments: Mistake.collectors) func `is held to the rules`(mistake: Mistake) { mistake.check() }
}
