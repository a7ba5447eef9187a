"""Names the folders of this checkout from which tests read files."""

from pathlib import Path

CHECKOUT = Path(__file__).parents[2]

#: Events, requests and other samples, as AWS or an SDK sends them.
DATA = CHECKOUT / "tests" / "data"
