"""Invoices and their totals."""

from dataclasses import dataclass, field

from invoicing.discount import percent_for
from invoicing.money import percentage, to_cents
from invoicing.tax import rate_for


@dataclass(frozen=True)
class Line:
    """A number of pieces of one article."""

    article: str
    quantity: int
    unit_price: str

    @property
    def net(self) -> int:
        """Price in cents after the volume discount."""
        gross = self.quantity * to_cents(self.unit_price)
        return gross - percentage(gross, percent_for(self.quantity))


@dataclass
class Invoice:
    """Lines for a customer in one country."""

    country: str
    lines: list[Line] = field(default_factory=list)

    def add(self, article: str, quantity: int, unit_price: str) -> None:
        """Put a line on the invoice."""
        if quantity < 1:
            raise ValueError(f"quantity of {article} must be at least 1")
        self.lines.append(Line(article, quantity, unit_price))

    @property
    def net(self) -> int:
        """Sum of the lines in cents."""
        return sum(line.net for line in self.lines)

    @property
    def tax(self) -> int:
        """Tax on the net sum in cents."""
        return percentage(self.net, rate_for(self.country))

    @property
    def total(self) -> int:
        """What the customer pays, in cents."""
        return self.net + self.tax
