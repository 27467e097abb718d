"""Audit: whether a log, or what somebody shows of one, is what was recorded, and by the rules."""

from ledger.audit.chain import Fault, Why
from ledger.audit.log import Report, verify

__all__ = ["Fault", "Report", "Why", "verify"]
