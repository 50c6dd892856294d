import pytest

from invoicing.invoice import Invoice
from invoicing.tax import UnknownCountry


def test_small_order_has_no_discount():
    invoice = Invoice("DE")
    invoice.add("bolt", 3, "1.99")
    assert invoice.net == 597


def test_large_order_gets_its_discount_before_tax():
    invoice = Invoice("SE")
    invoice.add("bolt", 100, "2.00")
    invoice.add("nut", 50, "0.50")
    assert invoice.net == 17000 + 2250
    assert invoice.total == 24063


def test_quantity_must_be_positive():
    with pytest.raises(ValueError, match="bolt"):
        Invoice("DE").add("bolt", 0, "1.00")


def test_unknown_country():
    invoice = Invoice("XX")
    invoice.add("bolt", 1, "1.00")
    with pytest.raises(UnknownCountry):
        _ = invoice.total
