from decimal import Decimal

import pytest

from invoicing.discount import percent_for


@pytest.mark.parametrize(
    ("quantity", "percent"),
    [(1, "0"), (9, "0"), (10, "5"), (49, "5"), (50, "10"), (99, "10"), (100, "15"), (5000, "15")],
)
def test_the_highest_tier_reached_counts(quantity, percent):
    assert percent_for(quantity) == Decimal(percent)
