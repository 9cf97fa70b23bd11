# Everything works from a fresh clone: what is missing is downloaded at a pinned
# version into ignored folders (.tools, .envoy) or into Docker.
SHELL := /usr/bin/env bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules

GO ?= go
FUZZTIME ?= 10s
TESTFLAGS ?=
BENCHFLAGS ?=
TRAINFLAGS ?=
EVALFLAGS ?=
COMPAREFLAGS ?=

# The tools, each pinned here and nowhere else.
GOLANGCI_LINT := github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
BUF           := github.com/bufbuild/buf/cmd/buf@v1.75.0
PROTOC_GEN_GO := google.golang.org/protobuf/cmd/protoc-gen-go@v1.36.12
PROTOVALIDATE := github.com/bufbuild/protovalidate@v1.2.2

BIN := .tools/bin
# A tool is there when its stamp is, which carries its version.
stamp = .tools/stamps/$(notdir $(1))

# The race detector needs a C compiler.
RACE := $(if $(shell command -v $$($(GO) env CC)),-race)
# The commit goes into the binary where there is one to be read.
BUILDVCS := $(if $(shell git rev-parse HEAD 2>/dev/null),true,false)

.PHONY: help
help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: build
build: ## bin/pointsman, one static binary
	CGO_ENABLED=0 $(GO) build -trimpath -buildvcs=$(BUILDVCS) -o bin/pointsman ./cmd/pointsman

.PHONY: run
run: ## pointsman, Envoy and stand-in providers on this machine, until Ctrl-C
	$(GO) run ./test/demo --stay

.PHONY: demo
demo: ## the same, with requests, and an account of what became of them
	$(GO) run ./test/demo

.PHONY: test
test: images envoy sdks race-or-not ## every test, with a real Envoy in real containers
	$(GO) test $(RACE) -count=1 -timeout=15m $(TESTFLAGS) ./...

.PHONY: conformance
conformance: envoy ## both body modes against every API, size, framing and chain of filters, on a real Envoy
	$(GO) test -count=1 -timeout=30m -run=TestConformance -v ./test/conformance -full

# A package needs a real Envoy when its tests import the package that finds one.
.PHONY: test-unit
test-unit: race-or-not ## the tests that need neither Docker nor Envoy
	$(GO) test $(RACE) $(TESTFLAGS) $$($(GO) list -f '{{.ImportPath}} {{.TestImports}} {{.XTestImports}} {{.Imports}}' ./... | \
		awk '{own = $$1; $$1 = ""} !/test\/envoybin/ && own !~ /test\/integration$$/ {print own}')

.PHONY: race-or-not
race-or-not:
	@$(if $(RACE),,echo 'make: there is no C compiler (apt-get install gcc libc6-dev): tests run without the race detector' >&2)

.PHONY: docker
docker: ## a Docker engine that answers
	@test/docker-engine

.PHONY: images
images: docker ## the container images of the tests
	@test/images

# Fetched once, before several packages' tests ask for it at the same time.
.PHONY: envoy
envoy: ## an Envoy binary to test with
	@$(GO) run ./test/envoybin/print >/dev/null

# pip installs into a Python of its own, .tools/$(1); python makes that first.
pip = python3 -m pip --python .tools/$(1)/bin/python install --quiet --disable-pip-version-check --only-binary :all: $(2)
define python
@python3 -m pip --version >/dev/null || { echo 'make: Python 3 with pip is needed: apt-get install python3-pip' >&2; exit 1; }
python3 -m venv --clear --without-pip .tools/$(1)
$(call pip,$(1),$(2))
endef

# The client libraries that test/sdk drives, as their users install them.
.PHONY: sdks
sdks: .tools/stamps/sdks-python .tools/stamps/sdks-javascript ## client libraries for Python and JavaScript, in .tools

.tools/stamps/sdks-python: test/sdk/requirements.txt
	$(call python,python,--requirement $<)
	@mkdir -p $(@D) && touch $@

.tools/stamps/sdks-javascript: test/sdk/package.json test/sdk/package-lock.json
	@{ command -v node && command -v npm; } >/dev/null || { echo 'make: Node 20 or newer with npm is needed: apt-get install nodejs npm' >&2; exit 1; }
	@mkdir -p .tools/javascript && cp $^ .tools/javascript
	npm ci --prefix .tools/javascript --ignore-scripts --no-audit --no-fund
	@mkdir -p $(@D) && touch $@

.PHONY: lint
lint: tools ## golangci-lint, buf, and whether go.mod is tidy
	$(BIN)/golangci-lint run ./...
	$(BIN)/buf lint proto
	$(GO) mod tidy -diff

.PHONY: fmt
fmt: $(call stamp,$(GOLANGCI_LINT)) ## gofumpt and goimports
	$(BIN)/golangci-lint fmt ./...

.PHONY: generate
generate: tools ## the code behind proto/
	$(BIN)/buf generate

.PHONY: check-generated
check-generated: generate ## fails where the code behind proto/ is not what is committed
	@changed="$$(git status --porcelain -- proto)"; \
	if [ -n "$$changed" ]; then git --no-pager diff -- proto; echo "not committed, or not what 'make generate' writes:"; echo "$$changed"; exit 1; fi >&2

.PHONY: fuzz
fuzz: ## each fuzz target for FUZZTIME (10s)
	@grep -r --include='*_test.go' '^func Fuzz' . | sed -E 's,/[^/]*_test.go:func (Fuzz[A-Za-z0-9_]*).*, \1,' | \
	while read -r folder name; do \
		$(GO) test -run='^$$' -fuzz="^$$name\$$" -fuzztime=$(FUZZTIME) "$$folder" || exit 1; \
	done

.PHONY: bench
bench: ## what pointsman costs, against a processor that does nothing
	$(GO) run ./test/bench $(BENCHFLAGS)

.PHONY: bench-go
bench-go: ## Go's own benchmarks of the request's path
	$(GO) test -run='^$$' -bench=. -benchmem ./filter/...

# The Python that the classifier is trained and judged with.
.tools/stamps/train: filter/classify/train/requirements.txt
	$(call python,train,--requirement $<)
	@mkdir -p $(@D) && touch $@

.PHONY: train
train: .tools/stamps/train ## the classifier's weights (TRAINFLAGS="--data FOLDER" adds public data sets)
	.tools/train/bin/python filter/classify/train/train.py $(TRAINFLAGS)

.PHONY: eval
eval: .tools/stamps/train ## the classifier beside simpler ones, on turns that it never saw (EVALFLAGS="--data FOLDER")
	.tools/train/bin/python filter/classify/train/evaluate.py $(EVALFLAGS)

.tools/stamps/compare: filter/classify/train/requirements.txt filter/classify/train/requirements-compare.txt
	$(call python,compare,--requirement $<)
	$(call pip,compare,--no-deps --requirement $(word 2,$^))
	@mkdir -p $(@D) && touch $@

.PHONY: compare
compare: .tools/stamps/compare ## a sentence model's embedding beside hashed grams (COMPAREFLAGS="--data FOLDER")
	.tools/compare/bin/python filter/classify/train/compare.py $(COMPAREFLAGS)

.PHONY: tools
tools: $(call stamp,$(GOLANGCI_LINT)) $(call stamp,$(BUF)) $(call stamp,$(PROTOC_GEN_GO)) $(call stamp,$(PROTOVALIDATE)) ## the pinned tools, in .tools

define install_tool
$(call stamp,$(1)):
	GOBIN=$(abspath $(BIN)) $(GO) install -buildvcs=false $(1)
	@mkdir -p $$(@D) && touch $$@
endef
$(foreach tool,$(GOLANGCI_LINT) $(BUF) $(PROTOC_GEN_GO),$(eval $(call install_tool,$(tool))))

# protovalidate's schema is in a Go module without Go files; buf reads a copy.
$(call stamp,$(PROTOVALIDATE)):
	@folder="$$($(GO) mod download -json $(PROTOVALIDATE) | sed -n 's/^\t"Dir": "\(.*\)",$$/\1/p')"; \
	rm -rf .tools/protovalidate && mkdir -p .tools/protovalidate $(@D); \
	cp -R "$$folder/proto/protovalidate/buf" .tools/protovalidate/buf; \
	chmod -R u+w .tools/protovalidate; \
	touch $@

.PHONY: clean
clean: ## removes what was built or downloaded here, and what tests left in Docker
	rm -rf bin dist .tools .envoy coverage.txt
	@if docker version >/dev/null 2>&1; then \
		docker ps --all --quiet --filter label=pointsman.test | xargs --no-run-if-empty docker rm --force; \
		docker network ls --quiet --filter label=pointsman.test | xargs --no-run-if-empty docker network rm; \
	fi
