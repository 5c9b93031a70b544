"""Gradient noise: how far the gradient of a mini-batch lies from that of all samples, by the batch size."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.evaluate.diagnostic_charts import seed_field
from vizml.learn import CLASSIFY, REGRESS, integer
from vizml.scene import Axis, Chart, Rule, Series


@diagnostic(
    "gradient_noise", title="Gradient noise", tasks=(CLASSIFY, REGRESS),
    synonyms=("SGD", "stochastic gradient descent", "batch size", "mini-batch", "diminishing returns"),
)  # fmt: skip
class GradientNoise(Diagnostic):
    """Distance of mini-batch gradients from the full gradient over the batch size, at the weights shown."""

    live = True
    draws: int = integer(30, 2, 1000, log=True, help="Number of random orders that are cut into batches.")
    seed: int = seed_field("Random seed of the orders.")

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        gradients = subject.state.sample_gradients() if subject.state is not None else None
        if gradients is None:
            raise ValueError("gradients of single samples are known of logistic and linear regression only")
        n = len(gradients)
        if n < 2:
            raise ValueError("the noise of batches needs at least two points")
        sizes = 2 ** np.arange(int(np.log2(n - 1)) + 1)
        full, rng = gradients.mean(axis=0), np.random.default_rng(self.seed)
        squares = np.zeros(len(sizes))
        for _ in range(self.draws):
            apart = gradients[rng.permutation(n)] - full
            for at, size in enumerate(sizes.tolist()):
                batches = apart[: n // size * size].reshape(-1, size, len(full)).mean(axis=1)
                squares[at] += (batches**2).sum(axis=1).mean()
        x, measured = sizes.astype(np.float64), np.sqrt(squares / self.draws)
        variance = float(((gradients - full) ** 2).sum(axis=1).mean())
        expected = np.sqrt(variance / x * (n - x) / (n - 1))
        steepness = float(np.linalg.norm(full))
        batch = subject.model.values.get("batch")
        rules = [Rule(name="length of the full gradient", y=steepness)] if steepness > 0 else []
        if isinstance(batch, int) and batch < n:
            rules.append(Rule(name="batch size", x=float(batch), ink="accent"))
        yield ChartResult(
            Chart(
                title="Gradient noise", x=Axis(title="batch size", log=True),
                y=Axis(title="error of the gradient", log=True),
                series=(
                    Series(name="measured", x=x, y=measured, kind="dots"),
                    Series(name="expected √(σ²/b · (n − b)/(n − 1))", x=x, y=expected, ink="muted"),
                ),
                rules=tuple(rules),
                note=f"noise {expected[0]:.3g} of single samples; four times the batch halves it",
            )
        )  # fmt: skip
