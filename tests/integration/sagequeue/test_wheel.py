"""The built wheel of the client in an empty environment."""

import json
import shutil
import subprocess
import sys
from importlib.metadata import PathDistribution
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the built wheel and its dependencies."""
    home = tmp_path_factory.mktemp("environment")
    # setuptools keeps the files of earlier builds there, and would also package modules that have been removed.
    shutil.rmtree(CHECKOUT / "client" / "build", ignore_errors=True)
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--wheel-dir", str(home), str(CHECKOUT / "client"))
    # Neither its own pip nor compiled modules of botocore: both take longer than these tests.
    run(sys.executable, "-m", "venv", "--without-pip", str(home / "venv"))
    wheel = next(home.glob("sagequeue-*.whl"))
    pins = CHECKOUT / "requirements" / "dev.txt"
    pip = (sys.executable, "-m", "pip", "--python", str(home / "venv"), "install", "-q", "--no-compile")
    run(*pip, "--constraint", str(pins), str(wheel))
    return home / "venv"


def run(*command: str, code: int = 0) -> str:
    # Outside the checkout, with only the environment variables that find programs and packages.
    done = subprocess.run(command, cwd="/", capture_output=True, text=True, check=False)  # noqa: S603  # our own
    assert done.returncode == code, done.stderr
    return done.stdout


def test_the_command_is_there_without_any_sdk(environment: Path) -> None:
    assert "submit" in run(str(environment / "bin/sagequeue"), "--help")
    assert "sagemaker" not in {path.name for path in site_packages(environment).iterdir()}


def test_the_package_comes_from_the_wheel_with_its_types_and_every_module(environment: Path) -> None:
    code = "import sagequeue; sagequeue.QueueClient, sagequeue.install; print(sagequeue.__file__)"
    home = Path(run(str(environment / "bin/python"), "-c", code).strip()).parent
    assert home.is_relative_to(environment)
    source = CHECKOUT / "client/src/sagequeue"
    assert {path.relative_to(source) for path in source.rglob("*.py")} <= {
        path.relative_to(home) for path in home.rglob("*.py")
    }
    assert (home / "py.typed").exists()
    for data in ("ui/built/page.js", "contract/config.schema.json"):
        assert (home / data).read_bytes() == (source / data).read_bytes()


def test_without_any_setup_doctor_shows_remedies(
    environment: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_DEFAULT_REGION", "AWS_ENDPOINT_URL"):
        monkeypatch.delenv(name, raising=False)
    for name in ("HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    checks = json.loads(run(str(environment / "bin/sagequeue"), "doctor", "--json", code=4))
    assert [check["name"] for check in checks if check["status"] == "problem"] == ["credentials", "address"]
    assert all(check["remedy"] for check in checks if check["status"] == "problem")


def test_the_wheel_asks_for_few_packages(environment: Path) -> None:
    metadata = PathDistribution(next(site_packages(environment).glob("sagequeue-*.dist-info")))
    needed = [line for line in metadata.requires or [] if "extra ==" not in line]
    assert {line.partition(">=")[0] for line in needed} == {"boto3", "click", "PyYAML", "requests", "rich", "urllib3"}


def site_packages(environment: Path) -> Path:
    return next(environment.glob("lib/python3*/site-packages"))
