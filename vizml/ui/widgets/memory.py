"""Which model a task had last, and with which parameters each algorithm was left."""

from __future__ import annotations

from vizml.learn import Model, Task, models


class Memory:
    """Of one stage, for as long as the window is open."""

    def __init__(self) -> None:
        self._last: dict[Task, type[Model]] = {}
        self._models: dict[type[Model], Model] = {}

    def keep(self, model: Model) -> None:
        """This is what is on the stage now."""
        self._last[model.task] = type(model)
        self._models[type(model)] = model

    def of_task(self, task: Task) -> Model:
        """The task's last model as it was left; at first the first of the menu."""
        return self.of_kind(self._last.get(task) or models(task)[0])

    def of_kind(self, kind: type[Model]) -> Model:
        """An algorithm as it was left; at first with its defaults."""
        return self._models.get(kind) or kind()
