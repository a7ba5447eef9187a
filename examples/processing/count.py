"""Counts the images of each of scikit-learn's handwritten digits. Writes the counts to the folder that it is given."""

import json
import sys
from collections import Counter
from pathlib import Path

from sklearn.datasets import load_digits


def main() -> None:
    images, labels = load_digits(return_X_y=True)
    counts = Counter(int(label) for label in labels)
    Path(sys.argv[1], "counts.json").write_text(json.dumps(counts, sort_keys=True))
    print(f"counted {len(images)} images", flush=True)


if __name__ == "__main__":
    main()
