"""Support vector machines for classification and regression."""
