"""Holds a JUnit report to what its viewers parse.

    junitviewers.py REPORT

Wants junitparser and junit2html from PyPI. What the others want is written down here: Jenkins' JUnit plugin
(jenkins-junit.xsd of the xUnit plugin, without its own attributes), GitLab (lib/gitlab/ci/parsers/test/junit.rb) and
dorny/test-reporter (java-junit). Prints "done".
"""

import collections
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree

import junitparser

SUITES = {"name", "tests", "failures", "errors", "skipped", "time", "disabled"}
SUITE = SUITES | {"timestamp", "hostname", "id", "package", "file"}
CASE = {"name", "classname", "time", "assertions", "status", "file", "line"}
RESULTS = {"failure": {"type", "message"}, "error": {"type", "message"}, "skipped": {"message", "type"}, "system-out": set()}
TIME = re.compile(r"[0-9]+\.[0-9]{3}")


def jenkins(root):
    assert root.tag == "testsuites" and set(root.attrib) <= SUITES, root.attrib
    for suite in root:
        assert suite.tag == "testsuite" and set(suite.attrib) <= SUITE, suite.attrib
        assert {"name", "tests", "failures", "errors"} <= set(suite.attrib)
        for case in suite:
            assert case.tag == "testcase" and set(case.attrib) <= CASE, case.attrib
            assert case.get("name") and case.get("classname"), "Jenkins wants both"
            assert not case.get("classname").startswith("."), "an empty package"
            assert len(case) <= 1, "one result at most"
            for result in case:
                assert set(result.attrib) <= RESULTS[result.tag], result.attrib
        counts = collections.Counter(result.tag for case in suite for result in case)
        told = [int(suite.get(name)) for name in ("tests", "failures", "errors", "skipped")]
        assert told == [len(suite), counts["failure"], counts["error"], counts["skipped"]], (suite.get("name"), told)


def gitlab(root, path):
    cases = [(suite.get("name"), case.get("classname"), case.get("name")) for suite in root for case in suite]
    twice = [case for case, count in collections.Counter(cases).items() if count > 1]
    assert not twice, f"GitLab drops the second: {twice}"
    assert path.stat().st_size < 30_000_000
    for case in root.iter("testcase"):
        for result in case:
            assert (result.text or "").strip(), f"GitLab shows the text: {case.attrib}"


def test_reporter(root):
    assert all(TIME.fullmatch(element.get("time", "")) for element in root.iter() if element.tag in ("testsuite", "testcase"))


def main(name):
    path = pathlib.Path(name)
    root = tree.parse(path).getroot()
    jenkins(root)
    gitlab(root, path)
    test_reporter(root)

    read = junitparser.JUnitXml.fromfile(str(path))
    cases = [case for suite in read for case in suite]
    assert len(cases) == read.tests == int(root.get("tests"))
    bad = [case for case in cases if any(isinstance(result, (junitparser.Failure, junitparser.Error)) for result in case.result)]
    assert len(bad) == read.failures + read.errors
    assert all(result.text and result.message for case in bad for result in case.result)

    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder) / "page.html"
        subprocess.run([sys.executable, "-m", "junit2htmlreport", str(path), str(page)], check=True)
        text = page.read_text()
        assert all(suite.get("name") in text for suite in root)
    print("done")


main(*sys.argv[1:])
