// Functions of the points that are not visible outside of their module, as functions of coordinates. They are compiled with
// the engine's own files, so that the compiler makes code of them by themselves.

/// Three coordinates in a row, as they are in memory.
package struct Coordinates {
    package var x, y, z: FieldElement
}

@inline(never)
package func mixedSum(_ a: Coordinates, _ x: FieldElement, _ y: FieldElement) -> Coordinates {
    let sum = JacobianPoint(x: a.x, y: a.y, z: a.z) + AffinePoint(x: x, y: y)
    return Coordinates(x: sum.x, y: sum.y, z: sum.z)
}

@inline(never)
package func doubledPoint(_ a: Coordinates) -> Coordinates {
    let sum = JacobianPoint(x: a.x, y: a.y, z: a.z).doubled()
    return Coordinates(x: sum.x, y: sum.y, z: sum.z)
}

@inline(never)
package func negatedOrdinate(_ x: FieldElement, _ y: FieldElement) -> FieldElement {
    AffinePoint(x: x, y: y).negated.y
}

@inline(never) package func limbs(of words: Words256) -> FieldElement { FieldElement(words: words) }

@inline(never) package func words(of limbs: Scalar) -> Words256 { limbs.words }

@inline(never) package func isLess(_ a: Words256, _ b: Words256) -> Bool { a < b }

@inline(never) package func isScalar(_ number: Words256) -> Bool { Scalar.isInRange(number) }

@inline(never)
package func digits(of scalar: Words256, bits: Int, _ digits: UnsafeMutablePointer<UInt64>) {
    WindowRecoding(bits: bits).forEachDigit(of: scalar) { window, digit in
        digits[window] = UInt64(digit.index) << 1 | (digit.isNegative ? 1 : 0)
    }
}
