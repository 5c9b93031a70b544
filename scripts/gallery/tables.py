"""Pictures of tables with any number of columns: one input, maps, sections, a matrix of sections, cells."""

from __future__ import annotations

from dataclasses import dataclass

from gallery.charts import SCALE, SIZE


@dataclass(frozen=True)
class TableExhibit:
    """A picture of the gallery that a command draws: its title, a sentence, and options of the command."""

    file: str
    title: str
    about: str
    options: str

    @property
    def command(self) -> str:
        """The command that draws it."""
        size = f"--size {SIZE[0]}x{SIZE[1]} --scale {SCALE}"
        return f"vizml render {self.options} {size} -o {self.file}"


EXHIBITS = (
    TableExhibit(
        "tables-posterior.png",
        "One input: posterior",
        "Credit default by balance: points lie at their class, the curve is the fitted probability, and the "
        "dashed line is the threshold.",
        "--data default:n=2000 --model logistic",
    ),
    TableExhibit(
        "tables-densities.png",
        "One input: class densities",
        "Class densities times priors of a linear discriminant analysis, which cross at the boundary.",
        '--data iris --inputs "petal width (cm)" --model lda --lens "Prior times class density"',
    ),
    TableExhibit(
        "tables-map.png",
        "Two inputs: map of a regression",
        "Sales by TV and radio advertising: contour lines of the prediction, points in the colours of their "
        "targets, and rings that grow with the residuals.",
        "--data advertising --inputs TV,radio --target sales --model linear --set degree=1",
    ),
    TableExhibit(
        "tables-section.png",
        "Thirteen inputs: section",
        "Wine with all inputs: the section along two of them, with the others at their medians. Points fade "
        "with their distance from the section.",
        "--data wine --inputs all --x proline --y flavanoids --model svm --standardise",
    ),
    TableExhibit(
        "tables-components.png",
        "Thirteen inputs: principal components",
        "The same data on the plane of the first two principal components.",
        "--data wine --inputs all --x PC1 --y PC2 --model lda",
    ),
    TableExhibit(
        "tables-matrix.png",
        "Matrix of sections",
        "The section at the 10, 50 and 90 % quantiles of two more inputs.",
        "--data wine --inputs all --x proline --y flavanoids --matrix alcohol,hue --model qda",
    ),
    TableExhibit(
        "tables-cells.png",
        "Categories: cells",
        "The weather table: naive Bayes on four categorical columns, two of them as cells.",
        "--data weather --model categorical_nb",
    ),
)
