"""Former names of `vizml.learn.formatting`."""

from vizml.learn.formatting import plural as counted
from vizml.learn.formatting import shortfall as fewer

__all__ = ["counted", "fewer"]
