from decimal import Decimal

from invoicing.money import percentage, show, to_cents


def test_amounts_are_read_exactly():
    assert to_cents("0.29") == 29
    assert to_cents("1234.5") == 123450


def test_percentages_round_half_up():
    assert percentage(50, Decimal("5")) == 3


def test_amounts_are_shown_with_two_digits():
    assert show(5) == "0.05"
    assert show(-1205) == "-12.05"
