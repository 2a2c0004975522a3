import TLSCore

/// All marks of a report as a table: a row for each scenario and variant, a column for each client and policy.
struct MatrixView {
    private struct Column: Hashable {
        var client: String
        var policy: String
    }

    private let report: RecordedReport

    init(_ report: RecordedReport) {
        self.report = report
    }

    /// What the template names.
    var view: [String: Any] {
        let marks = report.trials.map(ResultMatrix.Mark.init)
        let clients = report.trials.map(\.client).uniqued
        let all = report.trials.map { Column(client: $0.client, policy: $0.policy) }.uniqued
        // Those of one client beside each other.
        let columns = clients.flatMap { client in all.filter { $0.client == client } }
        let numbers = Dictionary(uniqueKeysWithValues: columns.enumerated().map { ($1, $0) })
        var rows: [String: [[String: Any]]] = [:]
        for (index, (trial, mark)) in zip(report.trials, marks).enumerated() {
            let column = numbers[Column(client: trial.client, policy: trial.policy)] ?? 0
            rows[trial.scenario, default: Array(repeating: [:], count: columns.count)][column] = [
                "mark": String(mark.rawValue), "class": mark.classes, "number": index + 1, "meaning": mark.meaning,
            ]
        }
        let scenarios = report.trials.map { ($0.kind ?? "", $0.scenario) }
        let kinds = scenarios.map(\.0).uniqued
        let groups = kinds.map { kind in
            var group: [String: Any] = [
                "width": columns.count + 1,
                "rows": scenarios.filter { $0.0 == kind }.map(\.1).uniqued.map { name in
                    ["name": name.printable, "cells": rows[name] ?? []] as [String: Any]
                },
            ]
            if kinds.count > 1 { group["heading"] = kind.isEmpty ? "other scenarios" : kind }
            return group
        }
        return [
            "columns": columns.map { ["client": $0.client.printable, "policy": $0.policy.printable] },
            "groups": groups,
            "legend": ResultMatrix.Mark.allCases.reversed().filter(marks.contains).map { mark in
                [
                    "mark": String(mark.rawValue), "class": mark.classes, "meaning": mark.meaning,
                    "count": marks.count { $0 == mark },
                ] as [String: Any]
            },
        ]
    }
}

extension ResultMatrix.Mark {
    /// How it looks, and which it is.
    var classes: String {
        let look =
            switch self {
            case .failed, .breach, .outage, .declaredBreach, .declaredOutage: "bad"
            case .inconclusive, .deviated: "doubt"
            case .right: "good"
            case .notApplicable, .skipped: "calm"
            }
        return "\(look) is-\(self)"
    }
}
