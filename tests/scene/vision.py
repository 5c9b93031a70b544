"""How colours look to people: contrast by WCAG 2, lightness and distance in CIE Lab, a cone that lacks."""

import numpy as np

XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.119192, 0.9503041]]
)
"""Linear sRGB to CIE XYZ under D65."""
WHITE = np.array([0.95047, 1.0, 1.08883])
EYES = {
    "protan": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deutan": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritan": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
"""Linear sRGB as an eye without that cone sees it (Machado, Oliveira and Fernandes, 2009, severity 1)."""


def linear(rgb):
    """The light (..., 3) of 8-bit sRGB colours."""
    share = np.asarray(rgb, dtype=float)[..., :3] / 255.0
    return np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)


def luminance(rgb):
    """Relative luminance as WCAG 2 defines it."""
    return linear(rgb) @ [0.2126, 0.7152, 0.0722]


def contrast(one, other):
    """From 1 (the same) to 21 (black on white)."""
    light, dark = np.maximum(luminance(one), luminance(other)), np.minimum(luminance(one), luminance(other))
    return (light + 0.05) / (dark + 0.05)


def lab(rgb, eye=None):
    """CIE Lab (..., 3), as an eye sees it that may lack a cone."""
    light = linear(rgb) if eye is None else np.clip(linear(rgb) @ np.array(EYES[eye]).T, 0.0, 1.0)
    t = light @ XYZ.T / WHITE
    f = np.where(t > (6 / 29) ** 3, np.cbrt(t), t / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.stack(
        [116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])], axis=-1
    )


def apart(one, other, eye=None):
    """How different two colours look: 2.3 can just be told apart (CIE 1976)."""
    return np.linalg.norm(lab(one, eye) - lab(other, eye), axis=-1)


def mixed(ground, ink, weight):
    """A colour laid over a ground so strongly."""
    return np.asarray(ground, float) + weight * (np.asarray(ink, float) - np.asarray(ground, float))
