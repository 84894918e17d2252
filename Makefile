# `make` says what there is. Nothing but the Swift toolchain is presumed; scripts/bootstrap.sh installs the rest.
.DEFAULT_GOAL := help
.PHONY: help demo serve-demo spark-demo gallery samples test check lint format bench man completions install uninstall deb install-tools clean

BUILD := swift build -c release
PREFIX ?= /usr/local
export PREFIX DESTDIR

help: ## say what there is
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | awk -F'\t' '{ printf "  make %-14s %s\n", $$1, $$2 }'

spark-demo: ## build, and run the samples on a Spark cluster on this machine; the bytes must be those of a local run
	@scripts/bootstrap.sh spark
	@$(BUILD) --product tripkpi
	@TRIPKPI="$$($(BUILD) --show-bin-path)/tripkpi" .build/spark-venv/bin/python spark/demo.py

serve-demo: ## build, and serve published sets of the sample over HTTP on this machine
	@scripts/serve-demo.sh

demo: ## build, and show the numbers of a synthetic export
	@scripts/demo.sh

gallery: ## pictures of every report, from the samples, into docs/gallery
	@scripts/gallery.sh

samples: ## make the sample outputs of reports/sample again
	@scripts/bootstrap.sh build
	@$(BUILD) --product tripkpi
	@scripts/samples.sh

test: ## everything that CI runs: format, build, tests, cross-checks
	@scripts/test.sh

check: ## the quick part: format, build, Swift tests
	@scripts/bootstrap.sh build
	@$(MAKE) --no-print-directory lint
	@$(BUILD) --build-tests
	@swift test -c release --skip-build

lint: ## check the format; changes nothing
	@swift format lint --strict -r Sources Tests Package.swift

format: ## bring the sources into format
	@swift format -i -r Sources Tests Package.swift

bench: ## race against DuckDB, chDB and Polars; the table goes to Benchmarks/Runs
	@scripts/bootstrap.sh build
	@$(BUILD) --product tripkpi
	@Benchmarks/run $(BENCH)

man: ## write the manual pages to .build/man
	@scripts/bootstrap.sh build
	@$(BUILD) --product tripkpi
	@scripts/pages.sh man .build/man
	@echo "Read one: man -l .build/man/tripkpi.1"

completions: ## write shell completions to .build/completions
	@scripts/bootstrap.sh build
	@$(BUILD) --product tripkpi
	@scripts/pages.sh completions .build/completions
	@echo "Written to .build/completions"

install: ## build, and install below PREFIX (/usr/local), staged in DESTDIR; with docs, man pages and completions
	@if command -v swift >/dev/null 2>&1; then scripts/bootstrap.sh build && $(BUILD) --product tripkpi && $(BUILD) --product tripkpi-serve; fi
	@scripts/install.sh install

deb: ## build a Debian package that needs no Swift on the machine, to .build/deb (takes some minutes)
	@scripts/bootstrap.sh build
	@scripts/deb.sh

uninstall: ## remove what install put there
	@scripts/install.sh uninstall

install-tools: ## install what build, tests and cross-checks need
	@scripts/bootstrap.sh office

clean: ## remove all that was built and the demo's output
	@rm -rf .build reports/demo
