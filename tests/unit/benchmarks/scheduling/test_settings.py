"""The table of settings shows the range of each figure over the orders of equal events."""

from dataclasses import replace

from benchmarks.scheduling.cases import CASES
from benchmarks.scheduling.figures import Figures
from benchmarks.scheduling.settings import ORDERS, VARIANTS, setups, table

FIGURES = Figures(20.0, 5.0, 3.0, 0.1, 20.0, 2, 5.0, 2.0, 70.0)


def test_a_figure_that_differs_between_orders_is_a_range() -> None:
    runs = [replace(FIGURES, mean_delay_h=delay) for delay in (20.0, 18.0, 19.0)]
    first, *_ = table([runs] * (len(CASES) * len(VARIANTS))).splitlines()[2:]
    assert first == "| Venus 100 | defaults | 18 to 20 | 5 | 0.1 | 5 | 2 |"


def test_each_case_has_each_variant_in_each_order() -> None:
    first, second, third, *_ = found = setups()
    assert len(found) == len({repr(setup) for setup in found}) == len(CASES) * len(VARIANTS) * len(ORDERS)
    assert [setup.order for setup in (first, second, third)] == list(ORDERS)
    assert first.policy == second.policy == VARIANTS["defaults"]
