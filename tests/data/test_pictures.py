"""Pictures as tables of pixels, against Pillow, which reads and writes the files."""

import numpy as np
import pytest
from PIL import Image

from vizml import data
from vizml.data.pictures import CHANNELS, read_picture


def pixels(table):
    """The colours (H, W, 3) of a table, by the rows and columns that it states."""
    row, column = (table.column(name).values.astype(int) for name in ("row", "column"))
    out = np.zeros((row.max() + 1, column.max() + 1, 3))
    out[row, column] = table.features
    return out


@pytest.mark.parametrize("ending", [".png", ".bmp", ".gif"])
def test_each_pixel_is_a_row(tmp_path, ending):
    given = np.random.default_rng(0).integers(0, 2, (5, 8, 3), dtype=np.uint8) * 255
    Image.fromarray(given).save(tmp_path / f"a{ending}")
    table = data.load(str(tmp_path / f"a{ending}"))
    assert table.inputs == CHANNELS
    assert np.array_equal(pixels(table), given)


def test_large_pictures_are_scaled_down(tmp_path):
    Image.new("RGB", (400, 200), (10, 20, 30)).save(tmp_path / "a.jpg")
    table = read_picture(tmp_path / "a.jpg")
    assert pixels(table).shape == (50, 100, 3)
    assert np.allclose(table.features, (10, 20, 30), atol=2)


def test_photographs_are_upright(tmp_path):
    turned = Image.new("RGB", (30, 20))
    turned.getexif()[0x0112] = 6  # the camera was held upright
    turned.save(tmp_path / "a.jpg", exif=turned.getexif())
    assert pixels(read_picture(tmp_path / "a.jpg")).shape == (30, 20, 3)


def test_transparent_pixels_are_white(tmp_path):
    Image.fromarray(np.array([[[200, 0, 0, 255], [0, 0, 0, 0]]], dtype=np.uint8)).save(tmp_path / "a.png")
    assert read_picture(tmp_path / "a.png").features.tolist() == [[200, 0, 0], [255, 255, 255]]
    Image.new("P", (2, 1)).save(tmp_path / "b.png", transparency=bytes([0]))
    assert read_picture(tmp_path / "b.png").features.tolist() == [[255, 255, 255]] * 2


def test_grey_levels_of_16_bits_keep_their_highest_8(tmp_path):
    grey = np.array([[0, 255, 256, 40_000, 65_535]], dtype=np.uint16)
    Image.fromarray(grey).save(tmp_path / "a.png")
    assert read_picture(tmp_path / "a.png").features[:, 0].tolist() == [0, 0, 1, 156, 255]


@pytest.mark.parametrize("raw", [b"", b"not a picture", b"\x89PNG\r\n\x1a\n" + b"\0" * 50])
def test_a_file_that_is_no_picture_is_refused(tmp_path, raw):
    (tmp_path / "a.png").write_bytes(raw)
    with pytest.raises(ValueError, match=r"a\.png is not a picture in PNG, JPEG, GIF or BMP format$"):
        read_picture(tmp_path / "a.png")


def test_a_truncated_picture_is_refused(tmp_path):
    Image.fromarray(np.random.default_rng(0).integers(0, 256, (40, 40, 3), dtype=np.uint8)).save(
        tmp_path / "a.png"
    )
    raw = (tmp_path / "a.png").read_bytes()
    (tmp_path / "a.png").write_bytes(raw[: len(raw) // 2])
    with pytest.raises(ValueError, match="is not a picture that can be read"):
        read_picture(tmp_path / "a.png")


@pytest.mark.parametrize("n", [1, 7, 2400])
def test_the_synthetic_picture_has_colours_of_eight_bits(n):
    table = data.generate("picture", n=n)
    assert len(table) == n
    assert np.array_equal(table.features, table.features.astype(np.uint8))
    assert n < 2400 or pixels(table).shape == (40, 60, 3)


def test_noise_is_the_deviation_of_the_brightness():
    exact, noisy = (data.generate("picture", noise=noise, seed=1).features for noise in (0, 8))
    free = ((exact > 40) & (exact < 215)).all(axis=1)  # not clipped to 0 to 255
    offsets = (noisy - exact)[free]
    # a deviation of 8, and the rounding of both numbers: 1/12 each
    assert offsets.std() == pytest.approx(np.sqrt(8**2 + 2 / 12), rel=0.05)
    assert np.abs(offsets - offsets[:, :1]).max() <= 2
