/// An expression, and where it stands.
struct Expression: Sendable {
    indirect enum Kind: Sendable {
        case text([TextPiece])
        case number(String)
        case name(String)
        case member(Expression, String)
        case call(Expression, [Argument])
        case index(Expression, Expression)
        case list([Expression])
        case table([Pair])
        case binary(String, Expression, Expression)
        case prefix(String, Expression)
        case conditional(Expression, Expression, Expression)
        case closure(Closure)
        /// A condition: as it is written, and what it compares.
        case tested(String, Expression)
        /// What is not understood, by its beginning.
        case opaque(String)
    }

    enum TextPiece: Sendable {
        case plain(String)
        case value(Expression)
    }

    struct Argument: Sendable {
        var label: String?
        /// Whether it is a list whose elements are the arguments.
        var isSpread = false
        var value: Expression
    }

    struct Pair: Sendable {
        var key: Expression
        var value: Expression
    }

    /// A closure's own block holds its parameters.
    struct Closure: Sendable {
        var parameters: [String]
        var block: Int
    }

    var kind: Kind
    /// Of its first token, by number.
    var token: Int
    var line: Int
    /// The block in which it stands.
    var block: Int
}

struct Statement: Sendable {
    indirect enum Kind: Sendable {
        case declaration(Declaration)
        case expression(Expression)
        /// `target = value`, `target += value`.
        case assignment(Expression, String, Expression)
        case returning(Expression?)
        /// Blocks of which one is run; the last is `nil` where none may be.
        case branches([Branch], isExhaustive: Bool)
        /// Over the elements of a value; several names take an element apart.
        case loop([String], Expression, Int)
        /// `for (i = 0; i < limit; i++)`, where the limit is a count.
        case count(String, Expression, Int)
        /// What is run once: `try`, `do`, a plain block.
        case block(Int)
        /// What is run any number of times or at some other time.
        case repeated(Int)
    }

    struct Branch: Sendable {
        /// As it is written; empty for the last one.
        var condition: String
        var block: Int
        /// What is compared, where that is understood.
        var test: Expression?
        /// Whether it goes on with the next one, as a case of a switch without a `break`.
        var fallsThrough = false

        /// Whether it is the one for all that the others are not for.
        var isRest: Bool {
            condition.isEmpty || [": else", ": default", ": _"].contains(where: condition.hasSuffix)
        }
    }

    var kind: Kind
    var tokens: Range<Int>
    var line: Int
}

/// A name that stands for something.
struct Declaration: Sendable {
    enum Kind: Sendable {
        case value
        case function
        case type
        case parameter
        /// A case of an enum, whose value is what it was made with.
        case entry
    }

    var name: String
    var kind: Kind
    /// A value's; a function's where it is one expression.
    var value: Expression?
    /// A function's or a type's, or that of a value that is computed.
    var body: Int?
    /// Of a function, and of a type that is made with values.
    var parameters: [Parameter] = []
    /// What an enum's case is made with.
    var arguments: [Expression.Argument] = []
    /// What a type of Kotlin makes its super type with.
    var base: Expression?
    /// Of a type's entries, in their order.
    var receiver: String?
    var typeName: String?
    /// Of a type: those that it is made from, by the last parts of their names.
    var supers: [String] = []
    /// Of a type, whether no object is of it alone.
    var isAbstract = false
    /// Whether nothing can assign to it again.
    var isFixed = false
    var line: Int
    var block: Int
}

struct Parameter: Sendable {
    var name: String
    var label: String?
    var isVariadic = false
    var usual: Expression?
    /// The first word of its type.
    var typeName: String?
    /// Whether it is a field of the object that is made.
    var isField = false
}

/// Statements that see each other's names, and those of the blocks around.
struct Block: Sendable {
    enum Owner: Sendable, Equatable {
        case file
        case type(String)
        case function(String)
        case closure
        case inner
    }

    var parent: Int?
    var owner: Owner
    var statements: [Statement] = []
    var declarations: [String: [Declaration]] = [:]
    /// In their order.
    var entries: [String] = []
}

/// One source, read.
struct SyntaxTree: Sendable {
    let path: String
    let language: SourceLanguage
    let tokens: [Token]
    /// The first is the file's own.
    var blocks: [Block] = []
    /// Of its types, by their own names, those within others too.
    var typeBodies: [String: [Int]] = [:]
    /// What is imported by name, and what of that is of `BuildConfig`: `import com.acme.BuildConfig.API_HOST`.
    var importedNames: Set<String> = []
    var buildImports: Set<String> = []
    /// Where a name is assigned to, or what it stands for is filled, after it was declared.
    var changes: [String: [Change]] = [:]
    /// What must hold behind a `guard`, by its token.
    var guards: [Int: String] = [:]
    /// Calls that are given what a name stands for, by that name.
    var handedOn: [String: [Handing]] = [:]

    struct Handing: Sendable {
        var function: String
        /// Which argument it is.
        var position: Int
        var change: Change
    }

    /// Declarations whose value is another name, by that name.
    var aliases: [String: [Declaration]] = [:]

    struct Change: Sendable {
        /// The first one of its statement or expression.
        var token: Int
        var line: Int
        var block: Int
        /// `other.name = …`, and whether the other is the object itself.
        var isMember = false
        var isOwn = false
    }
}
