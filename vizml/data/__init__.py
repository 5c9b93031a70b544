"""What people draw: data sets, generators, CSV and project files."""

from vizml.data.dataset import MAX_CLASSES, UNLABELLED, Bounds, Dataset
from vizml.data.split import Split

__all__ = ["MAX_CLASSES", "UNLABELLED", "Bounds", "Dataset", "Split"]
