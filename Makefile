# What a newcomer, a maintainer and CI type. Every verb sets up what it needs. ARGS is handed on: make run ARGS="--verbose"

ARGS ?=
CHAINS ?= 1000
SEED ?= $(shell date +%s)
# Swift Testing starts all tests at once unless it is told otherwise, and what has a time limit then waits for the
# processors until that has passed.
WIDTH := SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=8
# What computes is run before what waits for servers and programs: with all in one process, nobody answers these for as long
# as there are computations on all of its threads.
COMPUTING := AppSources|TLSCore|Pinning|Scenarios|Forecast
WAITING := Witness|MitmProxy|Stack|ControlPlane|MitmHarness|EndToEnd
# Each module as a whole, and without debug information: from nothing, that takes a third less of the processors' time. After a
# change it takes more, so that CI alone asks for it.
WHOLE := $(if $(PINDRILL_WHOLE_MODULES),-debug-info-format none -Xswiftc -disable-batch-mode -Xswiftc -wmo -Xswiftc -num-threads -Xswiftc 1)
# Where threads and C are.
SANITIZED := --disable-xctest --filter '^(TLSCoreTests|WitnessTests|MitmProxyTests|MitmHarnessTests)\.'
DEBUG := .build/debug/pindrill
SOURCES := Package.swift Sources Tests $(wildcard Examples) Conformance/swift-clients Benchmarks/Sources Reliability/Sources Integrations/swift
SCRIPTS := $(filter-out Scripts/sanitizers Scripts/distribution,$(wildcard Scripts/*)) Scripts/distribution/deb .ci/run $(wildcard Examples/*/*.sh Conformance/*.sh Integrations/curl/*.sh Integrations/curl/examples/*.sh)

.DEFAULT_GOAL := help
.PHONY: run test damage pages fuzz soak faults foreign public-names debug build format lint clients conformance docs detection differential setup sanitize sanitize-thread sanitize-address bench bench-setup
.PHONY: dist test-dist image clean help

run: debug ## build, then try every client that is here against the quick set; ARGS=--all for the rest, too
	@$(DEBUG) run scenarios.yaml $(ARGS) </dev/null

test: ## run every test
	@Scripts/setup test
	@status=0; \
	$(WIDTH) swift test --disable-xctest --skip '^($(WAITING))Tests\.' $(ARGS) $(WHOLE) </dev/null || status=$$?; \
	$(WIDTH) swift test --disable-xctest --skip '^($(COMPUTING))Tests\.' $(ARGS) $(WHOLE) </dev/null || status=$$?; \
	exit $$status

damage: ## run the tests of damaged input with all of their inputs; takes hours
	@Scripts/setup test
	PINDRILL_DAMAGED_INPUTS=all $(WIDTH) swift test --disable-xctest --filter '[Dd]amaged|cut off' $(ARGS) </dev/null

pages: ## play the whole quick set to the clients of docs/clients
	@Scripts/setup test
	PINDRILL_WHOLE_PAGES=1 $(WIDTH) swift test --disable-xctest --filter ClientPagesTests $(ARGS) </dev/null

fuzz: ## fuzz every reader with libFuzzer (Linux); SECONDS=60 TARGETS="policy-ats http2"
	@Scripts/setup build
	@Scripts/fuzz $(or $(SECONDS),60) $(TARGETS)

soak: build ## load one server for an hour and watch its memory, for docs/reliability (Linux); MINUTES=60
	@Reliability/soak.py $(or $(MINUTES),60) .build/release/pindrill

faults: debug ## make things go wrong around pindrill, and regenerate docs/reliability/faults.md (Linux)
	@Reliability/faults.py .build/debug/pindrill

foreign: ## build and test a package that only uses PinDrill, Examples/in-a-test
	@# Without it SwiftPM does not see that PinDrill has a new file since the last time.
	@touch Examples/in-a-test/Package.swift
	swift test --package-path Examples/in-a-test --scratch-path .build/in-a-test $(ARGS) </dev/null

public-names: debug ## check that Examples/in-a-test needs only what is public; the short form of foreign
	@Scripts/public-names

# The tests use this build, too. An optimised one would take twice as long, and its runs no less: they wait for clients.
debug:
	@Scripts/setup build
	swift build --product pindrill $(WHOLE) </dev/null

build: ## build the release binary, .build/release/pindrill
	@Scripts/setup build
	swift build -c release --product pindrill </dev/null

format: ## rewrite the sources in the project's format
	swift format format --in-place --recursive --parallel $(SOURCES) </dev/null

lint: ## fail on a source that is not in the project's format, or a script that does not parse
	swift format lint --strict --recursive --parallel $(SOURCES) </dev/null
	@for script in $(SCRIPTS); do bash -n "$$script" || exit 1; done

clients: ## install and build the clients that conformance.yaml has beyond scenarios.yaml (Debian, Ubuntu)
	@Scripts/clients $(ARGS)

conformance: debug clients ## play everything to all clients, and regenerate docs/conformance.md
	$(DEBUG) run conformance.yaml --all --fail-on unproven --report conformance=docs/conformance.md </dev/null

docs: debug ## regenerate docs/catalogue.md from scenarios.yaml and catalogue/
	$(DEBUG) list scenarios.yaml --format markdown >docs/catalogue.md.new </dev/null
	mv docs/catalogue.md.new docs/catalogue.md

detection: debug ## hold the catalogue to clients with known bugs, and regenerate docs/detection.md
	$(DEBUG) selftest --format markdown --first-try docs/first-try.tsv >docs/detection.md.new </dev/null
	mv docs/detection.md.new docs/detection.md

differential: ## show random chains to the TLS stacks of this machine, and hold the models to what these do; CHAINS=1000 SEED=1
	@Scripts/setup test
	PINDRILL_DIFFERENTIAL=$(CHAINS) PINDRILL_SEED=$(SEED) $(WIDTH) swift test --disable-xctest --filter '^StackTests\.' </dev/null

setup: ## install, or name, everything that is missing
	@Scripts/setup test

sanitize: sanitize-thread sanitize-address ## run the tests of threads and of C under the sanitizers for both (Linux)

sanitize-thread: .build/thread/mutex.so
	@Scripts/setup test
	LD_PRELOAD='$(CURDIR)/$<' TSAN_OPTIONS='exitcode=66 suppressions=$(CURDIR)/Scripts/sanitizers/thread.supp' \
		$(WIDTH) swift test --sanitize=thread --scratch-path .build/thread $(SANITIZED) $(ARGS) </dev/null

# Leaks in the target that owns OpenSSL's objects. Elsewhere what it finds are embedded channels that tests leave open.
sanitize-address:
	@Scripts/setup test
	ASAN_OPTIONS='exitcode=66 detect_leaks=0' \
		$(WIDTH) swift test --sanitize=address --scratch-path .build/address $(SANITIZED) $(ARGS) </dev/null
	ASAN_OPTIONS='exitcode=66 detect_leaks=1' \
		$(WIDTH) swift test --sanitize=address --scratch-path .build/address --skip-build --disable-xctest \
		--filter '^TLSCoreTests\.' $(ARGS) </dev/null

.build/thread/mutex.so: Scripts/sanitizers/mutex.c
	@mkdir -p $(@D)
	clang -shared -fPIC -O1 -o $@ $<

bench: ## measure, beside nginx, sslsplit and mitmproxy where they are installed (Linux)
	@Scripts/setup build
	PINDRILL_BENCHMARKS=1 swift build -c release --static-swift-stdlib --scratch-path Benchmarks/.build </dev/null
	@Benchmarks/.build/release/bench $(ARGS) </dev/null

bench-setup: ## install those three, and valgrind
	@Scripts/bench-setup

dist: ## build what a release offers, in dist/: archive, .deb, bill of materials, checksums
	@Scripts/dist

test-dist: ## try what is in dist/, also in a root that holds nothing else (Linux)
	@Scripts/test-dist

image: ## build the container image from the archive in dist/, with buildah
	@Scripts/image dist/pindrill-*-linux-*.tar.gz --tag pindrill $(ARGS)

clean: ## remove what was built, keep the fetched dependencies
	swift package clean </dev/null

help: ## this list
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1	/p' Makefile | while IFS='	' read -r verb text; do printf 'make %-12s %s\n' "$$verb" "$$text"; done
