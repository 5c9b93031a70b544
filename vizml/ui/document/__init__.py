"""What is worked on: data, split and experiments as one immutable value, with a history of it."""

from vizml.ui.document.document import Document
from vizml.ui.document.history import History
from vizml.ui.document.looks import Looks
from vizml.ui.document.work import Experiment, Work

__all__ = ["Document", "Experiment", "History", "Looks", "Work"]
