/** The entry of a path, and the values of the path's `{name}` segments. */
export interface FoundPath<Entry> {
  readonly entry: Entry
  /** Decoded. */
  readonly parameters: Readonly<Record<string, string>>
}

interface Branch<Entry> {
  readonly fixed: Map<string, Branch<Entry>>
  /** Of segments such as `{id}`, and `{id}.png`. */
  readonly named: { readonly suffix: string; readonly branch: Branch<Entry> }[]
  /** Of `{+id}`, which takes the rest of the path. */
  rest?: Branch<Entry>
  /** The names of its path's parameters. */
  names: readonly string[]
  entry?: Entry
}

function newBranch<Entry>(): Branch<Entry> {
  return { fixed: new Map(), named: [], names: [] }
}

const segmentPattern = /^\{(\+?)(\w+)\}(.*)$/
const noParameters: Readonly<Record<string, string>> = Object.freeze({})

/** A tree of path segments: finding a path takes as many steps as it has segments. Case matters. */
export class PathTable<Entry> {
  readonly #root: Branch<Entry> = newBranch()

  /**
   * The entry of a path, which is created where there is none.
   *
   * @param path `{name}` stands for a segment or its beginning, `{+name}` for one or more segments at the end
   */
  at(path: string, create: () => Entry): Entry {
    let branch = this.#root
    const names: string[] = []
    for (const segment of path.slice(1).split('/')) {
      const [, plus, name, suffix = ''] = segmentPattern.exec(segment) ?? []
      if (name !== undefined) names.push(name)
      if (name === undefined) branch = addFixed(branch, segment)
      else if (plus) branch = branch.rest ??= newBranch()
      else branch = addNamed(branch, suffix)
    }
    branch.names = names
    return (branch.entry ??= create())
  }

  find(pathname: string): FoundPath<Entry> | undefined {
    if (!pathname.startsWith('/')) return undefined
    const segments = pathname.slice(1).split('/')
    const values: string[] = []
    let branch = this.#root
    for (let at = 0; at < segments.length; at++) {
      const segment = segments[at]!
      const { fixed, named, rest } = branch
      const next = fixed.get(segment)
      const match = next ? undefined : named.find(({ suffix }) => segment.endsWith(suffix))
      if (next) {
        branch = next
      } else if (match) {
        values.push(segment.slice(0, segment.length - match.suffix.length))
        branch = match.branch
      } else if (rest) {
        values.push(segments.slice(at).join('/'))
        branch = rest
        break
      } else {
        return undefined
      }
    }
    const { entry, names } = branch
    if (entry === undefined) return undefined
    if (values.length === 0) return { entry, parameters: noParameters }
    const parameters = decoded(names, values)
    return parameters && { entry, parameters }
  }
}

function addFixed<Entry>({ fixed }: Branch<Entry>, segment: string): Branch<Entry> {
  const branch = fixed.get(segment) ?? newBranch()
  fixed.set(segment, branch)
  return branch
}

function addNamed<Entry>({ named }: Branch<Entry>, suffix: string): Branch<Entry> {
  const known = named.find((each) => each.suffix === suffix)
  if (known) return known.branch
  const added = { suffix, branch: newBranch<Entry>() }
  named.push(added)
  // The longest suffix first, because the empty one fits every segment.
  named.sort((one, other) => other.suffix.length - one.suffix.length)
  return added.branch
}

/** Undefined where a percent-encoding is malformed, or a value is empty. */
function decoded(names: readonly string[], values: readonly string[]): Record<string, string> | undefined {
  const parameters: Record<string, string> = {}
  try {
    for (const [index, name] of names.entries()) {
      const value = decodeURIComponent(values[index] ?? '')
      if (value === '') return undefined
      parameters[name] = value
    }
  } catch {
    return undefined
  }
  return parameters
}
