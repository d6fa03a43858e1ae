"""Minimax polynomials by the exchange of Remez, in mpmath with 160 bits."""

from mpmath import cos, lu_solve, matrix, mp, mpf, pi

mp.prec = 160


def value(coefficients, x):
    """The polynomial, its constant first, at x."""
    y = mpf(0)
    for coefficient in reversed(coefficients):
        y = y * x + coefficient
    return y


def fit(f, degree, low, high, weight, rounds=12):
    """The coefficients of the polynomial p for which the greatest |weight * (p - f)| on [low, high] is least."""
    low, high = mpf(low), mpf(high)
    count = degree + 2
    middle, half = (low + high) / 2, (high - low) / 2
    points = [middle - half * cos(pi * i / (count - 1)) for i in range(count)]
    grid = [middle - half * cos(pi * i / (60 * count)) for i in range(60 * count + 1)]
    targets, weights = [f(x) for x in grid], [weight(x) for x in grid]
    for _ in range(rounds):
        system, right = matrix(count, count), matrix(count, 1)
        for row, x in enumerate(points):
            for power in range(degree + 1):
                system[row, power] = weight(x) * x**power
            system[row, degree + 1] = (-1) ** row
            right[row] = weight(x) * f(x)
        solution = lu_solve(system, right)
        coefficients = [solution[i] for i in range(degree + 1)]
        errors = [w * (value(coefficients, x) - y) for x, y, w in zip(grid, targets, weights)]
        extrema = extreme_points(errors, count)
        if len(extrema) < count:
            break
        sizes = [abs(errors[i]) for i in extrema]
        points = [grid[i] for i in extrema]
        if max(sizes) < 1.001 * min(sizes):
            break
    return coefficients


def extreme_points(errors, count):
    """The index of the greatest error in each run of one sign; of more than count runs the ends go."""
    best, found = 0, []
    for i in range(1, len(errors)):
        if (errors[i] > 0) != (errors[best] > 0):
            found.append(best)
            best = i
        elif abs(errors[i]) > abs(errors[best]):
            best = i
    found.append(best)
    while len(found) > count:
        found.pop(0 if abs(errors[found[0]]) < abs(errors[found[-1]]) else -1)
    return found


def greatest_error(coefficients, f, low, high, weight, samples):
    """The greatest |weight * (p - f)| at samples + 1 points. With 200 points for each extremum of the error, of which a
    minimax polynomial has degree + 2, the greatest between them exceeds it by less than a part in 10^4."""
    low, high = mpf(low), mpf(high)
    points = (low + (high - low) * i / samples for i in range(samples + 1))
    return max(abs(weight(x) * (value(coefficients, x) - f(x))) for x in points)
