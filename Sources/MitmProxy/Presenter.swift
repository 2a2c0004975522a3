import Synchronization
import TLSCore
import Witness

/// The presentation in force, and who has seen how much of it.
///
/// It may be changed from any thread: a ClientHello that is read after `present` has returned sees the new one.
final class Presenter: Sendable {
    private struct State {
        var epoch: Epoch
        var presentation: Presentation
        var answers: Answers
        /// How many connections each rule has served in this epoch, by the rule's index.
        var served: [Int: Int] = [:]
        /// How many handshakes went wrong in this epoch.
        var faults = 0

        /// What is to go wrong with the next handshake with a host.
        mutating func nextFault(_ pattern: Presentation.HostPattern) -> HandshakeFault.Kind? {
            guard case .meaning = pattern, let fault = presentation.fault, fault.times.map({ faults < $0 }) ?? true
            else { return nil }
            faults += 1
            return fault.kind
        }
    }

    private let state: Mutex<State>

    /// What is answered where a presentation does not say.
    private let answers: Answers

    init(_ presentation: Presentation, origin: Origin) {
        answers = Answers(origin)
        let own = presentation.origin.map(Answers.init) ?? answers
        state = Mutex(State(epoch: Epoch(0), presentation: presentation, answers: own))
    }

    var epoch: Epoch { state.withLock(\.epoch) }

    var routing: (Epoch, Routing) { state.withLock { ($0.epoch, $0.presentation.routing) } }

    var now: (Epoch, Answers) { state.withLock { ($0.epoch, $0.answers) } }

    func present(_ presentation: Presentation) -> Epoch {
        let answers = presentation.origin.map(Answers.init) ?? self.answers
        return state.withLock { state in
            state = State(epoch: state.epoch.next(), presentation: presentation, answers: answers)
            return state.epoch
        }
    }

    /// What one client is to see.
    struct Choice {
        /// `nil` when no rule is for its host, or minting failed.
        var identity: Identity?
        var offer: TLSOffer
        /// `nil` where nothing goes wrong on purpose.
        var fault: HandshakeFault.Kind?
        /// `nil` where no session is resumed.
        var tickets: SessionTickets?
        var resumption = SessionTickets.Way.ticket
        var epoch: Epoch
        var answers: Answers
        var vouches: @Sendable ([Certificate]) -> Bool = { _ in false }
        /// Who answers in place of those.
        var relay: Upstream?
    }

    /// What a client that asked for `host` is to see.
    func choose(for host: String?, _ hello: ClientHello) -> Choice {
        var choice: Choice
        let sources: [Presentation.Source]
        let tickets: @Sendable (Identity) -> SessionTickets?
        (choice, sources, tickets) = state.withLock { state in
            let tickets = state.presentation.tickets
            let rules = state.presentation.rules
            var choice = Choice(offer: state.presentation.offer, epoch: state.epoch, answers: state.answers)
            choice.relay = state.presentation.relay
            choice.vouches = state.presentation.vouches
            choice.resumption = state.presentation.resumption
            guard let index = rules.firstIndex(where: { $0.pattern.matches(host) }) else {
                return (choice, [], tickets)
            }
            let turn = state.served[index, default: 0]
            choice.fault = state.nextFault(rules[index].pattern)
            // Who is shown nothing takes no turn.
            if case .stop = choice.fault {} else { state.served[index] = turn + 1 }
            switch rules[index].selection {
            case .always(let source): return (choice, [source], tickets)
            case .sequence(let sources):
                return (choice, turn < sources.count ? [sources[turn]] : sources.suffix(1), tickets)
            case .byHello(let sources): return (choice, sources, tickets)
            }
        }
        let identities = sources.compactMap { source in
            switch source {
            case .identity(let identity): identity
            case .minted(let minter): try? minter.identity(for: host ?? "localhost")
            }
        }
        choice.identity = identities.count > 1 ? hello.favourite(of: identities) : identities.first
        choice.tickets = choice.identity.flatMap(tickets)
        return choice
    }
}
