import Foundation
import Pinning
import Scenarios

/// The chart of a forecast as SVG: versions stacked over time, events as marks, and below it the share that is locked out.
struct ForecastChart {
    private static let size = (width: 960.0, height: 470.0)
    private static let left = 70.0
    private static let right = 20.0
    /// From top to bottom: people, and the share that is locked out.
    private static let people = (top: 34.0, bottom: 284.0)
    private static let share = (top: 324.0, bottom: 424.0)
    /// More layers nobody tells apart.
    private static let mostLayers = 8
    private static let mostPoints = 240
    /// Dark to light, so that they differ in print without colours as well.
    private static let colours = [
        "#08306b", "#7f2704", "#00441b", "#54278f", "#2171b5", "#d94801", "#238b45", "#807dba", "#9e9e9e",
    ]

    private let forecast: Forecast
    private let days: [Day]
    private let layers: [(name: String, users: [Double])]
    private let most: Double

    init(_ forecast: Forecast) {
        self.forecast = forecast
        let population = forecast.population
        let last = min(population.horizon, max(population.lastDay, Self.interest(forecast)) + 14)
        let count = max(1, last - population.firstDay)
        let points = min(Self.mostPoints, count + 1)
        let days = (0..<points).map { population.firstDay + (points == 1 ? 0 : $0 * count / (points - 1)) }
        self.days = days
        let all = forecast.fleet.versions.indices.map { version in
            (version, days.map { population.users(version: version, on: $0).expected })
        }
        let shown = Set(
            all.sorted { ($0.1.max() ?? 0, $1.0) > ($1.1.max() ?? 0, $0.0) }.prefix(Self.mostLayers).map(\.0)
        )
        var layers = all.filter { shown.contains($0.0) }.map { (name: forecast.fleet.versions[$0.0].name, users: $0.1) }
        let others = days.indices.map { index in
            all.filter { !shown.contains($0.0) }.reduce(0) { $0 + $1.1[index] }
                + population.users(version: nil, on: days[index]).expected
        }
        if others.contains(where: { $0 > 0 }) { layers.append((name: "all others", users: others)) }
        self.layers = layers
        most = max(1, days.map { population.total(on: $0) }.max() ?? 1)
    }

    /// The last day that somebody looks for.
    private static func interest(_ forecast: Forecast) -> Day {
        forecast.events.reduce(forecast.today) { latest, event in
            guard case .day(let day, _, _, _) = event.safeDay else { return max(latest, event.day) }
            return max(latest, event.day, day)
        }
    }

    var svg: String {
        let parts = [
            "<svg viewBox=\"0 0 \(Int(Self.size.width)) \(Int(Self.size.height))\" role=\"img\" aria-labelledby=\"chart-title\">",
            "<title id=\"chart-title\">People by version over time, and the share that is locked out. The tables have the numbers.</title>",
            "<defs><pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
                + "<rect width=\"6\" height=\"6\" fill=\"#fbd5d5\"/><line x1=\"0\" y1=\"0\" x2=\"0\" y2=\"6\" stroke=\"#a50f15\" stroke-width=\"2\"/></pattern></defs>",
            axes, areas, lockedOut, marks, "</svg>",
        ]
        return parts.joined(separator: "\n")
    }

    /// What colour is which version.
    var legend: String {
        let items = layers.enumerated().map { index, layer in
            // An attribute of SVG: the page's policy lets no element have a style of its own.
            "<li><svg viewBox=\"0 0 10 10\" aria-hidden=\"true\"><rect width=\"10\" height=\"10\" "
                + "fill=\"\(Self.colours[min(index, Self.colours.count - 1)])\"/></svg>\(layer.name.asOneLine.xmlText)</li>"
        }
        return "<ul class=\"legend\">\(items.joined())</ul>"
    }

    // MARK: Places

    private func x(_ day: Day) -> Double {
        let span = Double(max(1, days[days.count - 1] - days[0]))
        return Self.left + Double(day - days[0]) / span * (Self.size.width - Self.left - Self.right)
    }

    private func height(_ users: Double) -> Double {
        Self.people.bottom - users / most * (Self.people.bottom - Self.people.top)
    }

    private func level(_ share: Double) -> Double {
        Self.share.bottom - share / mostShare * (Self.share.bottom - Self.share.top)
    }

    private var mostShare: Double {
        let highest = days.map { atRisk(on: $0).expected }.max() ?? 0
        return [0.01, 0.02, 0.05, 0.1, 0.2, 0.5].first { $0 >= max(highest, forecast.tolerance) } ?? 1
    }

    private func number(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

    private func polygon(_ upper: [(Double, Double)], _ lower: [(Double, Double)], _ attributes: String) -> String {
        let points = (upper + lower.reversed()).map { "\(number($0.0)),\(number($0.1))" }
        return "<polygon points=\"\(points.joined(separator: " "))\" \(attributes)/>"
    }

    private func text(_ text: String, _ x: Double, _ y: Double, anchor: String = "end") -> String {
        "<text x=\"\(number(x))\" y=\"\(number(y))\" text-anchor=\"\(anchor)\">\(text.xmlText)</text>"
    }

    private func line(_ from: (Double, Double), _ to: (Double, Double), _ style: String) -> String {
        "<line x1=\"\(number(from.0))\" y1=\"\(number(from.1))\" x2=\"\(number(to.0))\" y2=\"\(number(to.1))\" \(style)/>"
    }

    // MARK: Parts

    private var areas: String {
        var below = days.map { ($0, 0.0) }
        return layers.enumerated().map { index, layer in
            let above = zip(below, layer.users).map { ($0.0, $0.1 + $1) }
            defer { below = above }
            return polygon(
                above.map { (x($0.0), height($0.1)) },
                below.map { (x($0.0), height($0.1)) },
                "fill=\"\(Self.colours[min(index, Self.colours.count - 1)])\""
            )
        }.joined(separator: "\n")
    }

    /// By what is shown on each day: the last event up to then.
    private func atRisk(on day: Day) -> Band {
        guard let event = forecast.events.last(where: { $0.day <= day }) else { return .zero }
        var sum = forecast.population.users(version: nil, on: day)
        for fate in event.fates where fate.isAtRisk(on: day) {
            sum = sum + forecast.population.users(version: fate.version, on: day)
        }
        return sum.share(of: forecast.population.total(on: day))
    }

    private var lockedOut: String {
        let shares = days.map { ($0, atRisk(on: $0)) }
        let base = [(x(days[0]), Self.share.bottom), (x(days[days.count - 1]), Self.share.bottom)]
        let area = polygon(
            shares.map { (x($0.0), level($0.1.expected)) },
            base,
            "fill=\"url(#hatch)\" stroke=\"#a50f15\""
        )
        let tolerated = level(forecast.tolerance)
        let band = [\Band.low, \Band.high].map { part in
            let points = shares.map {
                "\(number(x($0.0))),\(number(min(Self.share.bottom, max(Self.share.top, level($0.1[keyPath: part])))))"
            }
            return
                "<polyline points=\"\(points.joined(separator: " "))\" fill=\"none\" stroke=\"#a50f15\" stroke-dasharray=\"4 2\"/>"
        }
        return ([area] + band).joined(separator: "\n") + "\n"
            + line(
                (Self.left, tolerated),
                (Self.size.width - Self.right, tolerated),
                "stroke=\"#000\" stroke-dasharray=\"2 3\""
            )
            + text("tolerated: \(Share.text(forecast.tolerance))", Self.size.width - Self.right, Self.share.top - 10)
    }

    private var marks: String {
        let shown = forecast.events.enumerated().filter { $1.day >= days[0] && $1.day <= days[days.count - 1] }
        var drawn = shown.map { index, event in
            let place = x(event.day)
            let mark = line(
                (place, Self.people.top - 4),
                (place, Self.share.bottom),
                "stroke=\"#000\" stroke-width=\"1.5\""
            )
            // Among many, numbers would stand on each other.
            return mark + (shown.count <= 40 ? text("\(index + 1)", place, Self.people.top - 8, anchor: "middle") : "")
        }
        if forecast.population.lastDay < days[days.count - 1] {
            let place = x(forecast.population.lastDay)
            drawn.append(
                line((place, Self.people.top), (place, Self.share.bottom), "stroke=\"#000\" stroke-dasharray=\"6 4\"")
                    + text("projection →", place + 4, Self.people.bottom + 26, anchor: "start")
            )
        }
        return drawn.joined(separator: "\n")
    }

    private var axes: String {
        let (first, last) = (days[0], days[days.count - 1])
        let middle = first + (last - first) / 2
        var parts = [first, middle, last].enumerated().map { index, day in
            text("\(day)", x(day), Self.share.bottom + 20, anchor: ["start", "middle", "end"][index])
        }
        for part in [0, 0.5, 1] {
            parts.append(
                text(
                    forecast.countsPeople ? Number.text(most * part) : Share.text(part),
                    Self.left - 6,
                    height(most * part) + 4
                )
            )
            parts.append(
                line(
                    (Self.left, height(most * part)),
                    (Self.size.width - Self.right, height(most * part)),
                    "stroke=\"#ccc\""
                )
            )
        }
        parts.append(text(Share.text(mostShare), Self.left - 6, Self.share.top + 4))
        parts.append(text("0 %", Self.left - 6, Self.share.bottom + 4))
        parts.append(text("people, by version", Self.left, 14, anchor: "start"))
        parts.append(text("locked out, by what is shown that day", Self.left, Self.share.top - 10, anchor: "start"))
        parts.append(
            line((Self.left, Self.share.bottom), (Self.size.width - Self.right, Self.share.bottom), "stroke=\"#000\"")
        )
        return parts.joined(separator: "\n")
    }
}
