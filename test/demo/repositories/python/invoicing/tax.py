"""Value-added tax by country."""

from decimal import Decimal

RATES = {
    "DE": Decimal("19"),
    "FR": Decimal("20"),
    "SE": Decimal("25"),
}


class UnknownCountry(Exception):
    """No rate is known for the country."""


def rate_for(country: str) -> Decimal:
    """The rate in per cent."""
    try:
        return RATES[country.upper()]
    except KeyError:
        raise UnknownCountry(country) from None
