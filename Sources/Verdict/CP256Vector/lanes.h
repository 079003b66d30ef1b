// Several integers at a time, modulo the field prime p or the group order n of P-256 (SEC 2, secp256r1). A
// file that includes this one must include words_avx512.h or words_avx2.h first.
//
// Limb i of lane j is the j-th 64-bit word of `limb[i]` and weighs 2^(52i). This is the radix of AVX-512
// IFMA, and of the floating-point numbers that replace it in AVX2. Between operations limbs are signed and
// may exceed 52 bits; a value is the weighted sum of its limbs. Products are correct only for *carried*
// factors: every limb is in [0, 2^52), hence the value is in [0, 2^260). Residues are in Montgomery's form
// with R = 2^260 unless a comment says "plain".
#ifndef STOREKIT_VERIFY_P256_LANES_H
#define STOREKIT_VERIFY_P256_LANES_H

typedef struct {
    words limb[5];
} lanes;

/// A number that all lanes share, in the same radix.
typedef struct {
    uint64_t limb[5];
} constant;

#define LIMB_MASK 0xfffffffffffffULL

static const constant unit = {{1, 0, 0, 0, 0}};
static const constant field_prime = {{0xfffffffffffff, 0x00fffffffffff, 0, 0x0001000000000, 0x0ffffffff0000}};
static const constant field_one = {
    {0x10, 0xf000000000000, 0xfffffffffffff, 0xffeffffffffff, 0x00000000fffff}};
static const constant field_r2 = {
    {0x300, 0xffffffff00000, 0xffffefffffffb, 0xfdfffffffffff, 0x0000004ffffff}};
static const constant field_r3 = {
    {0xfd0000000a000, 0xffffff7ffffff, 0xfffcffffffedf, 0x100000005ffff, 0x0000180000000}};
static const constant order = {
    {0x9cac2fc632551, 0xada7179e84f3b, 0xfffffffbce6fa, 0x0000fffffffff, 0x0ffffffff0000}};
static const constant order_r2 = {
    {0x5cc0dea6dc3ba, 0x192a067d8a084, 0xbec59615571bb, 0x1fc245b2392b6, 0x0e12d9559d956}};
static const constant prime_minus_order = {{0x6353d039cdaae, 0x5358e8617b0c4, 0x0000000431905, 0, 0}};

// MARK: Sums

LANES_INLINE lanes from_constant(constant c)
{
    lanes r;
    for (int i = 0; i < 5; i++) r.limb[i] = hidden(every_lane(c.limb[i]));
    return r;
}

LANES_INLINE lanes add(lanes a, lanes b)
{
    for (int i = 0; i < 5; i++) a.limb[i] = words_add(a.limb[i], b.limb[i]);
    return a;
}

LANES_INLINE lanes subtract(lanes a, lanes b)
{
    for (int i = 0; i < 5; i++) a.limb[i] = words_subtract(a.limb[i], b.limb[i]);
    return a;
}

/// a + multiple * p. The limbs of p are below 2^52, so those of a small multiple cannot overflow.
LANES_INLINE lanes add_primes(lanes a, uint64_t multiple)
{
    for (int i = 0; i < 5; i++)
        if (field_prime.limb[i] != 0)
            a.limb[i] = words_add(a.limb[i], every_lane(multiple * field_prime.limb[i]));
    return a;
}

/// -a in the lanes of the mask, a in the others.
LANES_INLINE lanes negate_where(lane_mask mask, lanes a)
{
    for (int i = 0; i < 5; i++) a.limb[i] = words_negate(mask, a.limb[i]);
    return a;
}

/// b in the lanes of the mask, a in the others.
LANES_INLINE lanes choose(lane_mask mask, lanes a, lanes b)
{
    for (int i = 0; i < 5; i++) a.limb[i] = words_choose(mask, a.limb[i], b.limb[i]);
    return a;
}

/// a with carries: the bits of each limb above 52, except the top one's, are shifted out by `right` and added
/// to the next limb.
LANES_INLINE lanes carried_by(words (*right)(words, unsigned), lanes a)
{
    const words mask = every_lane(LIMB_MASK);
    for (int i = 0; i < 4; i++) {
        a.limb[i + 1] = words_add(a.limb[i + 1], right(a.limb[i], 52));
        a.limb[i] = words_and(a.limb[i], mask);
    }
    return a;
}

/// The same value, carried, if it is in [0, 2^260). Otherwise all limbs but the top one are in [0, 2^52), and
/// the top limb has the value's sign.
LANES_INLINE lanes carried(lanes a) { return carried_by(words_signed_right, a); }

/// The same for limbs that are never negative, such as those of products.
LANES_INLINE lanes carried_sum(lanes a) { return carried_by(words_right, a); }

/// a - h * p, where h is the part of the top limb above bit 256. The result is in (-2^229, 2^256 + 2^229).
///
/// h * p = h (2^256 - 2^224 + 2^192 + 2^96 - 1). The value must be within 16 p, and the lower limbs within
/// 2^62. The lower limbs then weigh less than 2^219, so the top limb is within 16 * 2^48 + 2^11 and |h| <=
/// 17. The top limb keeps 48 bits, in [0, 2^256). Together h * 2^224 and the lower limbs are within 2^229.
LANES_INLINE lanes folded(lanes a)
{
    const words h = words_signed_right(a.limb[4], 48);
    a.limb[4] = words_and(a.limb[4], every_lane((1ULL << 48) - 1));
    a.limb[4] = words_add(a.limb[4], words_left(h, 16));
    a.limb[3] = words_subtract(a.limb[3], words_left(h, 36));
    a.limb[1] = words_subtract(a.limb[1], words_left(h, 44));
    a.limb[0] = words_add(a.limb[0], h);
    return a;
}

// MARK: Products

/// Ten columns of a product, column i of weight 2^(52i).
typedef struct {
    words column[10];
} wide;

/// The limbs of a carried number, prepared as factors.
typedef struct {
    factor limb[5];
} factors;

/// The emulation, for tests, stops if a factor is not carried.
LANES_INLINE factors factors_of(lanes a)
{
    factors f;
    for (int i = 0; i < 5; i++) {
#ifdef P256_VECTOR_EMULATED
        if (mask_bits(words_meet(a.limb[i], every_lane(~LIMB_MASK)))) __builtin_trap();
#endif
        f.limb[i] = factor_of(a.limb[i]);
    }
    return f;
}

/// The number of products of limb i by limb j, for all i, j < 5, with their low half in this column. Their
/// high half is in the next column.
LANES_INLINE unsigned products_at(int column)
{
    return column < 0 || column > 8 ? 0 : (unsigned)(column < 5 ? column + 1 : 9 - column);
}

/// a * b in columns. The low half of each of the 25 partial products goes to column i + j, and the high half
/// to the next one. A column gets at most 5 + 4 terms: it is below 9 * 2^52.
LANES_INLINE wide columns_of_product(lanes a, lanes b)
{
    wide z;
    const factors fa = factors_of(a), fb = factors_of(b);
#pragma unroll
    for (int c = 0; c < 10; c++)
        z.column[c] = every_lane(0 - product_excess(products_at(c), products_at(c - 1)));
#pragma unroll
    for (int i = 0; i < 5; i++) {
#pragma unroll
        for (int j = 0; j < 5; j++)
            add_product(&z.column[i + j], &z.column[i + j + 1], fa.limb[i], fb.limb[j]);
    }
    return z;
}

/// a * a in columns, with the same sums. The columns are doubled, not a factor, because twice a limb would
/// not fit 52 bits.
LANES_INLINE wide columns_of_square(lanes a)
{
    wide z;
    const factors f = factors_of(a);
#pragma unroll
    for (int c = 0; c < 10; c++) {
        // Before the doubling, column c has each mixed product once, where `products_at` counts it twice. Its
        // half of a square is added once, after the doubling, so half of the excess of that is subtracted
        // here.
        const unsigned lows = products_at(c) / 2, highs = products_at(c - 1) / 2;
        const uint64_t square = product_excess(c % 2 == 0, c % 2 != 0);
        z.column[c] = every_lane(0 - product_excess(lows, highs) - square / 2);
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
#pragma unroll
        for (int j = i + 1; j < 5; j++)
            add_product(&z.column[i + j], &z.column[i + j + 1], f.limb[i], f.limb[j]);
    }
#pragma unroll
    for (int c = 0; c < 10; c++) z.column[c] = words_add(z.column[c], z.column[c]);
#pragma unroll
    for (int i = 0; i < 5; i++) add_product(&z.column[2 * i], &z.column[2 * i + 1], f.limb[i], f.limb[i]);
    return z;
}

/// z / 2^260 mod p by Montgomery's reduction, one limb at a time (Montgomery 1985).
///
/// p = -1 mod 2^52, so the quotient digit q is the column's low 52 bits, and adding q * p clears them. The
/// bits above are carried, and q * (p + 1) is added to the five columns above. Columns are below 15 * 2^52 <
/// 2^56, carries below 2^4. The result is below z / 2^260 + p.
LANES_INLINE lanes reduced_mod_prime(wide z)
{
    lanes r;
#pragma unroll
    for (int i = 0; i < 5; i++) {
        // Column 0 is one low half, below 2^52, so it has no carry.
        if (i > 0) z.column[i + 1] = words_add(z.column[i + 1], words_right(z.column[i], 52));
        add_digit_multiple(&z.column[i]);
    }
    for (int i = 0; i < 5; i++) r.limb[i] = z.column[5 + i];
    return r;
}

/// a * b / 2^260 mod p, for carried factors: below a * b / 2^260 + p, with limbs in [0, 15 * 2^52), not
/// carried. For a < A p and b < B p this is below (A B / 16 + 1) p, because 2^260 > 16 p.
LANES_INLINE lanes product(lanes a, lanes b) { return reduced_mod_prime(columns_of_product(a, b)); }

/// a * a / 2^260 mod p, with the same bounds.
LANES_INLINE lanes square(lanes a) { return reduced_mod_prime(columns_of_square(a)); }

/// Stores a carried `product`.
LANES_PRODUCT void store_factor_product(const lanes *a, const lanes *b, lanes *result)
{
    *result = carried_sum(product(*a, *b));
}

/// A carried `product`.
LANES_INLINE lanes factor_product(lanes a, lanes b)
{
    lanes result;
    store_factor_product(&a, &b, &result);
    return result;
}

/// A carried `square`.
LANES_INLINE lanes factor_square(lanes a) { return carried_sum(square(a)); }

/// a * b / 2^260 mod n, carried: below a * b / 2^260 + n, so below 2n for factors below 2^257. The quotient
/// digit is q = column * -n^-1 mod 2^52. Columns are below 20 * 2^52, and so below 2^63.
LANES_INLINE lanes order_product(lanes a, lanes b)
{
    const words mask = every_lane(LIMB_MASK);
    const factor negative_inverse = factor_of(hidden(every_lane(0x1c8aaee00bc4f)));
    const factors n = factors_of(from_constant(order));
    wide z = columns_of_product(a, b);
    lanes r;
#pragma unroll
    for (int i = 0; i < 5; i++) {
        const factor q = factor_of(low_product(factor_of(words_and(z.column[i], mask)), negative_inverse));
#pragma unroll
        for (int j = 0; j < 5; j++) {
            add_product(&z.column[i + j], &z.column[i + j + 1], q, n.limb[j]);
            z.column[i + j] = words_subtract(z.column[i + j], every_lane(product_excess(1, 0)));
            z.column[i + j + 1] = words_subtract(z.column[i + j + 1], every_lane(product_excess(0, 1)));
        }
        z.column[i + 1] = words_add(z.column[i + 1], words_right(z.column[i], 52));
    }
    for (int i = 0; i < 5; i++) r.limb[i] = z.column[5 + i];
    return carried_sum(r);
}

// MARK: Comparisons

/// The lanes in which a carried value equals a constant, limb by limb.
LANES_INLINE lane_mask equal_lanes(lanes a, constant c)
{
    lane_mask mask = words_equal(a.limb[0], every_lane(c.limb[0]));
    for (int i = 1; i < 5; i++) mask = mask_and(mask, words_equal(a.limb[i], every_lane(c.limb[i])));
    return mask;
}

/// The lanes in which a carried value is below a constant.
LANES_INLINE lane_mask less_lanes(lanes a, constant c)
{
    return words_negative(carried(subtract(a, from_constant(c))).limb[4]);
}

/// The lanes in which a carried value is a multiple of p. Its product by 1 / 2^260 is below 1 + p, so a
/// multiple of p is reduced to 0 or to p.
LANES_INLINE lane_mask zero_lanes(lanes a)
{
    const lanes reduced = factor_product(a, from_constant(unit));
    return mask_or(equal_lanes(reduced, (constant){{0}}), equal_lanes(reduced, field_prime));
}

// MARK: Loading

/// Two 256-bit numbers in each lane.
typedef struct {
    lanes x, y;
} lane_pair;

/// Four 64-bit limbs as five of 52 bits: carried, below 2^256.
LANES_INLINE lanes from_words(const words word[4])
{
    const words mask = every_lane(LIMB_MASK);
    return (lanes){{
        words_and(word[0], mask),
        words_and(words_right_pair(word[0], word[1], 52), mask),
        words_and(words_right_pair(word[1], word[2], 40), mask),
        words_and(words_right_pair(word[2], word[3], 28), mask),
        words_right(word[3], 16),
    }};
}

/// Lane j gets the x and y of row j.
LANES_INLINE lane_pair from_rows(const row rows[LANE_COUNT])
{
    words word[8];
    words_of_rows(rows, word);
    return (lane_pair){from_words(word), from_words(word + 4)};
}

#endif
