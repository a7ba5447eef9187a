"""The table of settings shows the range of each figure over the orders of equal events."""

from dataclasses import replace

from benchmarks.scheduling.cases import WINDOWS
from benchmarks.scheduling.figures import Figures
from benchmarks.scheduling.settings import ORDERS, VARIANTS, setups, table

FIGURES = Figures(20.0, 5.0, 3.0, 0.1, 20.0, 2, 5.0, 2.0, 70.0)


def test_a_figure_that_differs_between_orders_is_a_range() -> None:
    runs = [replace(FIGURES, mean_delay_h=delay) for delay in (20.0, 18.0, 19.0)]
    *_, last = table([(("Venus 104", "defaults"), runs)])
    assert last == "| Venus 104 | defaults | 18 to 20 | 5 | 0.1 | 5 | 2 |"


def test_each_window_has_each_variant_and_the_defaults_in_each_order() -> None:
    found = setups(WINDOWS, VARIANTS)
    assert len(found) == len(WINDOWS) * len(VARIANTS)
    assert len({repr(setup) for runs in found.values() for setup in runs}) == len(WINDOWS) * (len(VARIANTS) + 2)
    assert [setup.order for setup in found[WINDOWS[0].name, "defaults"]] == list(ORDERS)
