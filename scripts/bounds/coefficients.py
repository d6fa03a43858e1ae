"""The polynomials of core/src/exact/vector: how they were found, and what their errors are.

    coefficients.py            writes the Rust constants anew
    coefficients.py --check    computes the error of the constants in the Rust files and compares it with the bound that
                               stands beside them

Needs mpmath. The bounds are of the polynomial with its coefficients rounded to double, computed exactly; what rounding
adds in the evaluation is in the comments of the Rust files. Intervals are a little wider than the reduced arguments."""

import pathlib
import re
import sys

from mpmath import atan, atanh, ceil, erf, erfc, exp, expm1, log, log1p, mpf, pi, sin, sqrt

from remez import fit, greatest_error

RUST = pathlib.Path(__file__).resolve().parents[2] / "core/src/exact/vector"
LN_2 = log(mpf(2))
CENTRE = mpf("3.75")


class Polynomial:
    """One polynomial: in x, which stands for what text says, in place of f."""

    def __init__(self, name, file, text, f, degree, low, high, weight=None):
        self.name, self.file, self.text, self.f, self.degree = name, file, text, f, degree
        self.low, self.high = mpf(low), mpf(high)
        self.weight = weight or (lambda x: 1 / f(x))

    def fitted(self):
        return [mpf(float(c)) for c in fit(self.f, self.degree, self.low, self.high, self.weight)]

    def error(self, coefficients):
        """The binary logarithm of the greatest error."""
        samples = 200 * (self.degree + 2)
        return log(greatest_error(coefficients, self.f, self.low, self.high, self.weight, samples), 2)


def at_zero(f, limit):
    """f, which cannot be computed at 0, with its limit there."""
    return lambda x: f(x) if x else mpf(limit)


def in_root(f, limit):
    """f(s)/s as a function of s^2."""
    return at_zero(lambda z: f(sqrt(z)) / sqrt(z), limit)


EXP = at_zero(lambda r: expm1(r) / r, 1)
ATANH = in_root(lambda s: 2 * atanh(s), 2)
ERF = in_root(erf, 2 / sqrt(pi))
LOG_1P = at_zero(lambda r: log1p(r) / r, 1)
R_LOG = mpf(1) / 32 * mpf("1.001")
# |r| of e^r, for a table of 16 powers and without. A little more at one end, so that no point is 0.
R_16, R_1 = LN_2 / 32 * mpf("1.01"), LN_2 / 2 * mpf("1.001")


def of_e(r):
    """The weight of (e^r - 1)/r that makes the error one relative to e^r."""
    return r / exp(r)


def erfcx(t):
    """e^(a^2) erfc(a) for t = (a - c)/(a + c)."""
    a = CENTRE * (1 + t) / (1 - t)
    return exp(a * a) * erfc(a)


def erf_piece(k):
    """erf(a)/a in the k-th quarter, t from -1/2 to 1/2."""
    return lambda t: at_zero(lambda a: erf(a) / a, 2 / sqrt(pi))((k + mpf(1) / 2 + t) / 4)


POLYNOMIALS = [
    Polynomial("EXP_16", "exp", "(e^r - 1)/r, |r| up to ln(2)/32", EXP, 4, -R_16 * 1.001, R_16),
    Polynomial("EXP_16_SHORT", "exp", "(e^r - 1)/r, |r| up to ln(2)/32, relative to e^r", EXP, 3, -R_16 * 1.001, R_16, of_e),
    Polynomial("EXP_1", "exp", "(e^r - 1)/r, |r| up to ln(2)/2", EXP, 8, -R_1 * 1.001, R_1),
    Polynomial("EXP_1_SHORT", "exp", "(e^r - 1)/r, |r| up to ln(2)/2, relative to e^r", EXP, 7, -R_1 * 1.001, R_1, of_e),
    Polynomial("LOG", "log", "2 atanh(s)/s in s^2, s up to 3 - sqrt(8)", ATANH, 5, 0, (3 - sqrt(mpf(8))) ** 2 * 1.001),
    Polynomial("LOG_1P", "softplus", "2 atanh(s)/s in s^2, s up to 1/3", ATANH, 7, 0, mpf(1) / 9 * 1.0001),
    Polynomial("LOG_1P_SHORT", "softplus", "2 atanh(s)/s in s^2, s up to 1/3", ATANH, 6, 0, mpf(1) / 9 * 1.0001),
    Polynomial("LOG_1P_16", "softplus", "log1p(r)/r, |r| up to 1/32", LOG_1P, 5, -R_LOG * 1.001, R_LOG),
    Polynomial("SIN", "sin", "sin(r)/r in r^2, r up to pi/2", in_root(sin, 1), 6, 0, (pi / 2) ** 2 * 1.001),
    Polynomial("ATAN", "atan", "atan(t)/t in t^2, t up to tan(pi/8)", in_root(atan, 1), 8, 0, (sqrt(mpf(2)) - 1) ** 2 * 1.001),
    Polynomial("ERF", "erf", "erf(a)/a in a^2, a up to 1/2", ERF, 6, 0, mpf(1) / 4),
    Polynomial("ERFCX", "erf", "e^(a^2) erfc(a) in (a - 3.75)/(a + 3.75), a up to 6.1", erfcx, 14, -1,
               (mpf("6.1") - CENTRE) / (mpf("6.1") + CENTRE)),
]
ERF_NEAR = [Polynomial(f"ERF_NEAR[{k}]", "erf_table", "", erf_piece(k), 7, -0.5, 0.5) for k in range(16)]


def bound(error):
    """The error as it is written: the next tenth up."""
    return f"2^{float(ceil(error * 10) / 10):.1f}"


def numbers(values):
    return "".join(f"    {float(value)!r},\n" for value in values)


def print_all():
    for polynomial in POLYNOMIALS:
        coefficients = polynomial.fitted()
        print(f"/// {polynomial.text}: within {bound(polynomial.error(coefficients))} (`scripts/bounds`).")
        print(f"const {polynomial.name}: [f64; {len(coefficients)}] = [\n{numbers(coefficients)}];")
    pieces = [piece.fitted() for piece in ERF_NEAR]
    worst = max(piece.error(c) for piece, c in zip(ERF_NEAR, pieces))
    print("//! The coefficients of erf in quarters. Written by `scripts/bounds/coefficients.py`.\n")
    print("/// erf(a)/a in t for a = (k + 1/2 + t)/4, |t| up to 1/2: coefficient, then k from 0 to 15. "
          f"Within {bound(worst)}.")
    print("pub(super) static ERF_NEAR: [[f64; 16]; 8] = [")
    for row in zip(*pieces):
        print("    [\n" + "".join(f"        {float(value)!r},\n" for value in row) + "    ],")
    print("];")


def in_rust(file, name):
    """The numbers of a constant in a Rust file, and the bound in the comment before it."""
    text = (RUST / f"{file}.rs").read_text()
    found = re.search(r"ithin (2\^-\d+\.\d)[^\n]*\n(?:[^\n]*\n)?[^\n]*\b" + name + r": [^=]*=\s*\[(.*?)\];", text, re.DOTALL)
    if found is None:
        sys.exit(f"{file}.rs: no {name} with its bound")
    return [mpf(float(n.replace("_", ""))) for n in re.findall(r"-?\d[\d_]*\.[\d_]+(?:e-?\d+)?", found[2])], found[1]


def check():
    failed = False
    for polynomial in POLYNOMIALS:
        coefficients, stated = in_rust(polynomial.file, polynomial.name)
        error = polynomial.error(coefficients)
        failed |= len(coefficients) != polynomial.degree + 1 or error > mpf(stated[2:])
        print(f"{polynomial.name}: {float(error):.2f}, stated {stated}", flush=True)
    table, stated = in_rust("erf_table", "ERF_NEAR")
    error = max(piece.error(table[k::16]) for k, piece in enumerate(ERF_NEAR))
    failed |= len(table) != 128 or error > mpf(stated[2:])
    print(f"ERF_NEAR: {float(error):.2f}, stated {stated}")
    sys.exit(failed)


if __name__ == "__main__":
    check() if sys.argv[1:] == ["--check"] else print_all()
