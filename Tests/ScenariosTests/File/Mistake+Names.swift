extension Mistake {
    static let names = [
        Mistake(
            "spare: {}",
            "\"spare key\": {}",
            "3:19: 'spare key' is not a name; use letters, digits, '-', '_' and '.', at most 64"
        ),
        Mistake(
            "spare: {}",
            "clé: {}",
            "3:19: 'clé' is not a name; use letters, digits, '-', '_' and '.', at most 64"
        ),
        Mistake(
            "spare: {}",
            "-spare: {}",
            "3:19: '-spare' is not a name; use letters, digits, '-', '_' and '.', at most 64"
        ),
        Mistake(
            "spare: {}",
            "? spare/1 : {}",
            "3:21: 'spare/1' is not a name; use letters, digits, '-', '_' and '.', at most 64"
        ),
        Mistake(
            "spare: {}",
            "7: {}",
            "3:19: expected the name of a key, found a number; quote it if it is meant"
        ),
        Mistake(
            "spare: {}",
            "true: {}",
            "3:19: expected the name of a key, found true or false; quote it if it is meant"
        ),
        Mistake(
            "spare: {}",
            "\(String(repeating: "a", count: 65)): {}",
            "3:19: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' is not a name; use letters, digits, '-', '_' and '.', at most 64"
        ),
        Mistake(
            "  acme-root: {}",
            "  acme-root: {}\n  spare: {}",
            "7:3: 'spare' is a key already (line 3); keys and authorities share their names"
        ),
        Mistake(
            "  acme-root: {}",
            "  acme-root: {}\n  self: {}",
            "7:3: 'self' has a meaning of its own; choose another name"
        ),
        Mistake(
            "no-pins: {}",
            "all: {}",
            "9:13: 'all' has a meaning of its own; choose another name"
        ),
        Mistake(
            "name: calm,",
            "name: calm, steps: [ { present: today } ] }, { name: calm,",
            "11:69: scenario 'calm' is declared already (line 11)"
        ),
        Mistake(
            "name: calm",
            "name: calm weather",
            "11:22: 'calm weather' is not a name; use letters, digits, '-', '_' and '.', at most 64"
        ),
    ]
}
