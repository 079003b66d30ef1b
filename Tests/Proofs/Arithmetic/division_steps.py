"""The number of division steps after which g is 0, from all inputs of a size: by theorem 11.2 of Bernstein and Yang, "Fast
constant-time gcd computation and modular inversion" (2019), and computed anew by convex hulls.

The hulls are those of Wuille, "Bounds on divsteps iterations in safegcd" (2021). For each delta, all (f, g) that can be
reached are within a convex set that is known by its corners. A step maps corners to corners, whatever the parity of g is. A
set in which |g| < 1 has g = 0 alone, because g is an integer. The paper's bound comes of other means, so that the two check
each other.
"""


def by_theorem(bits):
    """Steps for |f| and |g| up to 2^bits (theorem 11.2; `iterations` of figure 10.1)."""
    return (49 * bits + (80 if bits < 46 else 57)) // 17


def lower_chain(points):
    """The corners of a convex hull on its lower side, from left to right (Andrew 1979). The set is symmetric, so that its
    upper corners are their negatives."""
    chain = []
    for x, y in sorted(set(points)):
        while len(chain) > 1:
            (ax, ay), (bx, by) = chain[-2:]
            if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0:
                break
            chain.pop()
        chain.append((x, y))
    return chain


def after_step(sets):
    """The corners by delta after a step, in units of half the former ones. A linear map takes corners to corners: only where
    several sets meet is a hull taken."""
    following = {}

    def reach(delta, corners):
        following.setdefault(delta, []).append(corners)
    for delta, corners in sets.items():
        reach(1 + delta, [(2 * f, g) for f, g in corners])
        if delta > 0:
            reach(1 - delta, [(2 * g, g - f) for f, g in corners])
        else:
            reach(1 + delta, [(2 * f, g + f) for f, g in corners])
    return following


def united(parts):
    """The corners of the hull of several symmetric sets, each one or its negative."""
    if len(parts) == 1:
        return parts[0]
    corners = [corner for part in parts for corner in part]
    return lower_chain(corners + [(-f, -g) for f, g in corners])


def by_hulls(bits):
    """Steps for odd f below 2^bits and 0 <= g <= f, from delta = 1. In units of 2^bits, corners are small at first."""
    sets, count = {1: [(1, 0), (1, 1)]}, 0
    while sets:
        count += 1
        reached = {delta: united(parts) for delta, parts in after_step(sets).items()}
        sets = {delta: corners for delta, corners in reached.items() if max(abs(g) for _, g in corners) << bits >= 1 << count}
    return count
