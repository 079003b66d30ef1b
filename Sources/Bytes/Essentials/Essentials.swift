// Dates, data and JSON without the rest of Foundation: on Linux a command that links only this part starts faster and
// needs less memory. Platforms without the part have all of Foundation. A module says `import Essentials` for either.
#if canImport(FoundationEssentials)
    @_exported public import FoundationEssentials
#else
    @_exported public import Foundation
#endif
