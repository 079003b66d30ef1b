// Points over the field of field.h, and their addition by its definition.
#ifndef ARITHMETIC_SMALL_POINTS_H
#define ARITHMETIC_SMALL_POINTS_H

#include "field.h"

typedef struct { int64_t x, y; bool infinite; } point;

static int64_t slope(point a, point b)
{
    if (a.x != b.x) return residue((b.y - a.y) * inverse_of(residue(b.x - a.x)));
    return residue((3 * a.x * a.x - 3) % prime * inverse_of(residue(2 * a.y)));
}

/// The sum by its definition: the third point of a chord or tangent, reflected.
static point sum_of(point a, point b)
{
    if (a.infinite) return b;
    if (b.infinite) return a;
    if (a.x == b.x && residue(a.y + b.y) == 0) return (point){0, 0, true};
    const int64_t s = slope(a, b), x = residue(s * s - a.x - b.x);
    return (point){x, residue(s * (a.x - x) - a.y), false};
}

static point negative_of(point a) { return (point){a.x, residue(-a.y), a.infinite}; }

#endif
