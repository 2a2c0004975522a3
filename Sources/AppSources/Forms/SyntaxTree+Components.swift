/// Methods of Angular's components, which nothing but their own class and its page can call.
extension SyntaxTree {
    /// What is said of one around a place that nothing in its source calls.
    func uncalled(around place: Int) -> String {
        guard language == .script, let method = namedFunction(around: [place])?.name,
            let type = typeName(atToken: place), isComponent(type),
            !["constructor", "ng", "ion"].contains(where: method.hasPrefix),
            tokens.count(where: { $0.names.contains(method) }) == 1
        else { return "" }
        return "; in '\(method)', which nothing in this source calls"
    }

    /// `@Component({ … }) export class AppComponent`
    private func isComponent(_ type: String) -> Bool {
        let classes = tokens.indices.filter { $0 > 0 && tokens[$0 - 1].isName("class") }
        guard classes.count == 1, let place = classes.first, tokens[place].isName(type) else { return false }
        let before = tokens[..<place].suffix(60)
        return before.indices.contains { next in
            next > 0 && tokens[next].isName("Component") && tokens[next - 1].isMark("@")
        }
    }
}
