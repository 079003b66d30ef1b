#if !SQLite
    /// Without the trait SQLite there is no database to apply lines to.
    @main
    enum ApplyLines {
        static func main() {}
    }
#endif
