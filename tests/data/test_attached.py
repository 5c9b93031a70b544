"""A large table is stored once next to its project, and is checked when it is read."""

from dataclasses import replace

import numpy as np
import pytest

from vizml.data import Column, Dataset, Project, ProjectError, generate, load_project, save_project
from vizml.data.project_parts import LARGE
from vizml.workspace.autosave import Autosave, unsaved_works

N = LARGE // 16 + 9
RNG = np.random.default_rng(0)
NUMBERS = Column("a", np.where(RNG.random(N) < 0.1, np.nan, RNG.normal(size=N)))
WORDS = Column("b", RNG.integers(-1, 3, N), ("u", "v", "w"))


def large():
    return Project(Dataset(RNG.normal(size=(N, 2)), RNG.integers(-1, 3, N), others=(NUMBERS, WORDS)))


def stored(folder):
    return sorted(folder.glob("*.npz"))


def test_a_large_table_is_written_once(tmp_path):
    project, path = large(), tmp_path / "p.vizml"
    save_project(project, path)
    (file,) = stored(tmp_path)
    assert file.name.startswith("p.")
    assert load_project(path) == project
    before = file.stat().st_mtime_ns
    moved = project.dataset.moved(np.arange(N) == 3, [[7.0, 8.0]])
    save_project(replace(project, dataset=moved), path)
    assert file.stat().st_mtime_ns == before
    assert load_project(path).dataset == moved


def test_a_changed_table_replaces_the_file(tmp_path):
    project, path = large(), tmp_path / "p.vizml"
    save_project(project, path)
    other = replace(project, dataset=project.dataset.take(slice(1, None)))
    save_project(other, path)
    assert len(stored(tmp_path)) == 1
    assert load_project(path) == other
    save_project(Project(generate("moons")), path)
    assert not stored(tmp_path)


def test_a_small_table_stays_in_the_project(tmp_path):
    small = Project(large().dataset.take(slice(0, 100)))
    save_project(small, tmp_path / "p.vizml")
    assert not stored(tmp_path)
    assert load_project(tmp_path / "p.vizml") == small


@pytest.mark.parametrize(
    "spoil, sentence",
    [
        (lambda file: file.unlink(), "is missing: it belongs next to the project"),
        (lambda file: file.write_bytes(file.read_bytes()[:-900]), "was changed or cut off"),
        (lambda file: file.write_bytes(b"no archive"), "was changed or cut off"),
        (lambda file: np.savez(file, **{"0": np.zeros(N), "1": WORDS.values}), "was changed or cut off"),
    ],
)
def test_a_spoiled_table_is_refused(tmp_path, spoil, sentence):
    save_project(large(), tmp_path / "p.vizml")
    (file,) = stored(tmp_path)
    spoil(file)
    with pytest.raises(ProjectError, match=f"p.vizml: its table, the file '{file.name}', {sentence}"):
        load_project(tmp_path / "p.vizml")


def test_a_file_elsewhere_is_not_read(tmp_path):
    save_project(large(), tmp_path / "p.vizml")
    (file,) = stored(tmp_path)
    text = (tmp_path / "p.vizml").read_text().replace(file.name, f"../{file.name}")
    (tmp_path / "p.vizml").write_text(text)
    with pytest.raises(ProjectError, match="must be the name of a file that ends with"):
        load_project(tmp_path / "p.vizml")


def test_unsaved_work_shares_its_table_and_takes_it_away(tmp_path):
    project = large()
    autosave = Autosave(tmp_path)
    try:
        for k in range(3):
            autosave.save(replace(project, dataset=project.dataset.relabelled(np.arange(N) == k, 2)))
            assert autosave.wait()
        assert len(stored(tmp_path)) == 1
        assert load_project(autosave.path).dataset.others == project.dataset.others
        assert autosave.path.stat().st_size < 0.8 * sum(array.nbytes for array in project.dataset.arrays)
        autosave.clear()
        assert not stored(tmp_path)
        assert not list(unsaved_works(tmp_path))
    finally:
        autosave.close()


@pytest.mark.parametrize("name", ["weather", "diabetes", "default", "wine"])
def test_roles_and_categories_come_back(tmp_path, name):
    dataset = generate(name).with_roles(missing="median")
    x, y = (column.name for column in dataset.columns[-2:])
    for found in (dataset, dataset.with_roles(axes=(x, y))):
        save_project(Project(found), tmp_path / "p.vizml")
        back = load_project(tmp_path / "p.vizml").dataset
        assert back == found
        assert (back.label, back.missing) == (found.label, "median")


def test_axes_with_missing_values_come_back(tmp_path):
    dataset = Dataset.of([Column("a", [1.0, np.nan]), Column("b", [-1, 0], ("u",))])
    save_project(Project(dataset), tmp_path / "p.vizml")
    assert load_project(tmp_path / "p.vizml").dataset == dataset
