"""Everything that a window holds, without Qt: work, history, events, project files."""

from vizml.workspace.document import Document
from vizml.workspace.work import Experiment, History, Work

__all__ = ["Document", "Experiment", "History", "Work"]
