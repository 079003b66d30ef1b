// The bounds of one addition of each kind, for operands as large as they may be. Numbers are in units of 2^-20 p.
let reduced = FieldElement.reducedElement
let negated = AffinePoint(x: reduced, y: reduced).negated

print("function addend")
print("coordinates", negated.x.value, negated.y.value)
print("function mixed sum")
let sum = JacobianPoint(x: reduced, y: reduced, z: reduced) + negated
print("function doubling")
_ = JacobianPoint(x: reduced, y: reduced, z: reduced).doubled()

print("function affine sums")
var sums = AffineSums(capacity: 2)
for _ in 0..<100 { sums.append(AffinePoint(x: reduced, y: reduced), negated) }
for index in 100..<200 {
    sums.append(negated)
    sums.setAddend(negated, at: index)
}
sums.add()
