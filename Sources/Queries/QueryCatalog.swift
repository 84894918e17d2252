import Files
import Foundation
package import StrictYAML

/// All queries of a folder, read and checked: the interface of `Queries`, with `QueryConnection`.
///
/// Every mart and check compiles against the staging views' columns, under the same guard as statements of users, and has
/// the columns and parameters of its description. So every listed query works.
package struct QueryCatalog: Sendable {
    /// By layer, then name.
    package let queries: [Query]

    /// - Parameter folder: holds `staging/`, `marts/` and `checks/`.
    package init(folder: String) throws(ConfigurationErrors) {
        var queries: [Query] = []
        var errors: [ConfigurationError] = []
        for layer in Query.Layer.allCases {
            let place = folder + "/" + layer.rawValue
            var names: [String] = []
            do throws(FileError) {
                names = try FolderNames.texts(place)
            } catch {
                // Without a layer there would be no check that finds anything.
                errors.append(
                    ConfigurationError(
                        file: place, message: "it cannot be read (\(error.reason))", hint: "check the disk"))
            }
            for name in names where name.hasSuffix(".yml") && !names.contains(name.dropLast(4) + ".sql") {
                errors.append(
                    ConfigurationError(file: place + "/" + name, message: "there is no SQL beside it", hint: "add it"))
            }
            for name in names where name.hasSuffix(".sql") {
                do throws(ConfigurationError) {
                    queries.append(try QueryFile(path: place + "/" + name, layer: layer).read())
                } catch {
                    errors.append(error)
                }
            }
        }
        if queries.isEmpty && errors.isEmpty {
            errors = [ConfigurationError(file: folder, message: "there are no queries here", hint: "name the folder")]
        }
        self.queries = queries
        if errors.isEmpty { errors = Self.faults(of: queries) }
        guard errors.isEmpty else { throw ConfigurationErrors(errors) }
    }

    var staging: [Query] { queries.filter { $0.layer == .staging } }

    /// The marts and checks, which can be asked for by name.
    package var named: [Query] { queries.filter { $0.layer != .staging } }

    package func query(_ name: String) throws(QueryError) -> Query {
        guard let query = named.first(where: { $0.name == name }) else {
            throw .unknownQuery(hint: Spelling.hint(for: name, among: named.map(\.name)))
        }
        return query
    }

    private static func faults(of queries: [Query]) -> [ConfigurationError] {
        var errors: [ConfigurationError] = []
        for (name, group) in Dictionary(grouping: queries, by: \.name).sorted(by: { $0.key < $1.key }) {
            for query in group.dropFirst() {
                errors.append(ConfigurationError(file: query.file, message: "there are two queries named \(name)"))
            }
        }
        do throws(QueryError) {
            let outline = try StagingOutline(staging: queries.filter { $0.layer == .staging })
            for query in queries where query.layer != .staging {
                if let error = outline.fault(of: query) { errors.append(error) }
            }
        } catch {
            errors.append(ConfigurationError(file: queries.first?.file ?? "", message: error.description))
        }
        return errors
    }
}
