"""What is worked on: data, split and experiments as one immutable value, with a history of it."""

from vizml.workspace.document import Document
from vizml.workspace.history import History
from vizml.workspace.looks import Looks
from vizml.workspace.work import Experiment, Work

__all__ = ["Document", "Experiment", "History", "Looks", "Work"]
