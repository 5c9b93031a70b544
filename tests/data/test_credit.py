"""The synthetic credit accounts have the coefficients of the textbook."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from vizml import data


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_default_on_balance_has_the_coefficients_of_the_textbook(seed):
    """ISLR, table 4.1: -10.6513 and 0.0055; the tolerance is a twentieth of a standard error."""
    accounts = data.generate("default", seed=seed)
    assert accounts.inputs == ("balance",)
    assert accounts.classes == ("No", "Yes")
    fit = LogisticRegression(C=np.inf, tol=1e-10, max_iter=1000)
    fit.fit(accounts.features / 1000, accounts.labels)
    assert fit.intercept_[0] == pytest.approx(-10.65, abs=0.01)
    assert fit.coef_[0, 0] / 1000 == pytest.approx(0.0055, abs=1e-5)


def test_students_have_a_higher_balance_and_a_lower_income():
    accounts = data.generate("default")
    student = accounts.column("student").values == 1
    balance, income = accounts.points.T
    assert balance[student].mean() > balance[~student].mean()
    assert income[student].mean() < income[~student].mean() / 2
    assert student.mean() == pytest.approx(0.29, abs=0.02)
