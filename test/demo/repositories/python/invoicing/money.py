"""Amounts in cents, so that sums are exact."""

from decimal import ROUND_HALF_UP, Decimal


def to_cents(amount: str) -> int:
    """Read a decimal amount such as ``"12.30"`` as cents."""
    return int((Decimal(amount) * 100).to_integral_value(ROUND_HALF_UP))


def percentage(cents: int, percent: Decimal) -> int:
    """A percentage of an amount, rounded half up to whole cents."""
    return int((cents * percent / 100).to_integral_value(ROUND_HALF_UP))


def show(cents: int) -> str:
    """An amount for people, such as ``"12.30"``."""
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d}"
