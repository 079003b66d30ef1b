// Prints the constants of lanes.h and inversion.h: a name, the bits of a limb, and the limbs.
#include <stdio.h>

#include "words_scalar.h"

#include "lanes.h"

#include "inversion.h"

static void print(const char *name, int bits, const uint64_t *limbs)
{
    printf("%s %d", name, bits);
    for (int i = 0; i < 5; i++) printf(" %llu", (unsigned long long)limbs[i]);
    printf("\n");
}

#define PRINT(name) print(#name, 52, name.limb)

int main(void)
{
    PRINT(unit), PRINT(field_prime), PRINT(field_one), PRINT(field_r2), PRINT(field_r3);
    PRINT(order), PRINT(order_r2), PRINT(prime_minus_order);
    print("prime_modulus", 62, (const uint64_t *)prime_modulus.value.limb);
    print("order_modulus", 62, (const uint64_t *)order_modulus.value.limb);
    print("prime_power", 52, prime_modulus.power->limb);
    print("order_power", 52, order_modulus.power->limb);
    printf("prime_inverse 62 %llu\norder_inverse 62 %llu\n", (unsigned long long)prime_modulus.inverse,
           (unsigned long long)order_modulus.inverse);
}
