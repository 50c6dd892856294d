"""Volume discounts: the more of one article, the lower its price."""

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True)
class Tier:
    """From ``quantity`` pieces on, ``percent`` off."""

    quantity: int
    percent: Decimal


STANDARD = (
    Tier(10, Decimal("5")),
    Tier(50, Decimal("10")),
    Tier(100, Decimal("15")),
)


def percent_for(quantity: int, tiers: tuple[Tier, ...] = STANDARD) -> Decimal:
    """The discount of the highest tier that the quantity reaches."""
    for tier in tiers:
        if quantity > tier.quantity:
            return tier.percent
    return Decimal(0)
