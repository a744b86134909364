# Everything that is done to this package is a target here. CI runs `make ci` and adds nothing.
#
#   make              a debug build
#   make help         this list
#   make demo         see it work, from a fresh clone
#   make test         the whole test suite; ARGS='--filter StoreTests' for a part
#   make lint         format, imports, undeclared dependencies, scripts
#   make tsan         the whole test suite under the thread sanitizer
#   make bench        the benchmarks, as JSON lines; SUITE=store for one suite
#   make bench-check  the same, and fails where a ratio or a count is worse than promised
#   make soak         hours of HTTP and effects at random, of one SEED or for MINUTES, then a crowd
#   make soak-http    the first part of it: faults, cancels and shutdowns
#   make compile-time how long the compiler takes for what users write
#   make examples     test and run every example
#   make docs         the reference documentation, into site/
#   make ci           all that a merge needs, in order
#
# SWIFTFLAGS goes to every call of the package manager: make test SWIFTFLAGS='-j 1'.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := build
.PHONY: help setup build demo test lint tsan release bench bench-check bench-smoke soak soak-http compile-time examples docs ci clean

SWIFTFLAGS ?=
ARGS ?=
SUITE ?=
MINUTES ?= 10
SEED ?=
REPEATS ?= 1000
export SWIFTFLAGS

# Without a bound all tests begin at once and wait for few cores while their time limits run.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH ?= 8

# A sanitizer's build shares no object file with the plain one.
TSAN_SCRATCH := .build/tsan

help:
	@sed -n '/^# *make/s/^# */  /p' Makefile

setup:
	@Scripts/setup.sh

build: setup
	swift build $(SWIFTFLAGS)

demo: setup
	@Scripts/demo.sh

test: setup
	swift test --parallel $(SWIFTFLAGS) $(ARGS)

# The build compiles all there is, tests too, so that `make test` after it has only to run.
lint: setup
	@Scripts/lint.sh
	swift build --build-tests --explicit-target-dependency-import-check error $(SWIFTFLAGS)

# Goes on after a race, to show them all; the exit code fails a run whose tests all passed.
tsan: setup
	TSAN_OPTIONS='halt_on_error=0:exitcode=66' swift test --parallel --sanitize=thread \
	  --scratch-path $(TSAN_SCRATCH) $(SWIFTFLAGS) $(ARGS)

release: setup
	swift build -c release --product postsctl $(SWIFTFLAGS)
	Scripts/check-linkage.sh

# The whole package is built first: the http suite runs programs that nothing else would build.
BUILD_BENCHMARKS := swift build -c release --package-path Benchmarks

bench: setup
	@Scripts/bench-setup.sh
	@$(BUILD_BENCHMARKS) $(SWIFTFLAGS) >&2
	@swift run -c release --package-path Benchmarks --skip-build benchmarks $(SUITE) $(ARGS)

bench-check: setup
	@Scripts/bench-setup.sh
	@$(BUILD_BENCHMARKS) $(SWIFTFLAGS) >&2
	@swift run -c release --package-path Benchmarks --skip-build benchmarks --check $(SUITE)

compile-time: setup
	@Scripts/compile-time.sh

bench-smoke: setup
	swift test --package-path Benchmarks $(SWIFTFLAGS)
	$(BUILD_BENCHMARKS) $(SWIFTFLAGS)
	swift run -c release --package-path Benchmarks --skip-build benchmarks --smoke
	PROGRAMS=200 swift run -c release --package-path Benchmarks $(SWIFTFLAGS) soak

# Minutes of HTTP, then minutes of effects, which print JSON lines. A crowd takes seconds under the sanitizer, so the last part takes hours.
soak: setup soak-http
	@MINUTES=$(MINUTES) SEED=$(SEED) swift run -c release --package-path Benchmarks $(SWIFTFLAGS) soak
	MILLRACE_REPEATS=$(REPEATS) TSAN_OPTIONS='halt_on_error=0:exitcode=66' swift test \
	  --sanitize=thread --scratch-path $(TSAN_SCRATCH) $(SWIFTFLAGS) --filter EffectCrowdTests

# Ten thousand requests a round, each round with another seed, then 150 processes that leave.
soak-http: setup
	MILLRACE_CHAOS_MINUTES=$(MINUTES) MILLRACE_CHAOS_SEED=$(SEED) MILLRACE_CHAOS_REQUESTS=10000 \
	  MILLRACE_CHAOS_EXITS=25 swift test $(SWIFTFLAGS) --filter CurlHTTPTests.Chaos

examples: setup
	@Scripts/examples.sh

docs: setup
	@Scripts/docs.sh

ci:
	@Scripts/ci.sh

clean:
	rm -rf .build Benchmarks/.build Examples/.build site
