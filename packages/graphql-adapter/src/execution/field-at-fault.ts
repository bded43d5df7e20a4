import { type ASTNode, BREAK, type DocumentNode, type GraphQLError, Kind, visit } from 'graphql'

/** What is wrong with which field of an input, as core would say it. */
export interface Fault {
  /** As core spells it: `maxTokens`, `tasks[0]`, `origin.city`. */
  readonly field: string
  readonly issue: string
}

/** What graphql-js says of values, and how core says it. Core's words never repeat a value: it may be a password. */
const wordings: readonly (readonly [pattern: RegExp, issue: string | ((match: RegExpExecArray) => string)])[] = [
  [/to include required field "(\w+)"/, 'is required'],
  [/not to include unknown field "(.*?)"(?:$|\. Did you mean "(\w+)")/s, ([, , meant]) => unknownField(meant)],
  [/^Unknown argument .*?\.(?: Did you mean "(\w+)".*)?$/, ([, meant]) => unknownField(meant)],
  [/^Argument "@?[\w.]+\((\w+):\)" .* (?:is required|required type|not to be null)/, 'is required'],
  [/^Argument "(\w+)" .*(?:is required|required type)/, 'is required'],
  [/to be provided|not to be null|non-null/, 'is required'],
  [/does not exist in "(\w+)" enum/, ([, name]) => `must be one of the values of ${name}`],
  [/Enum "(\w+)" cannot represent/, ([, name]) => `must be one of the values of ${name}`],
  [/(?:String|ID) cannot represent/, 'must be a string'],
  [/Int cannot represent/, 'must be an integer'],
  [/Float cannot represent/, 'must be a number'],
  [/Boolean cannot represent/, 'must be a boolean'],
  [/to be an object/, 'must be an object'],
  [/(must be [^"]*)/, ([, words]) => words ?? ''],
]

function unknownField(meant: string | undefined): string {
  return meant === undefined ? 'is not a known field' : `is not a known field; did you mean "${meant}"?`
}

/** Which messages name a field below what they are about, unless that is the field itself. */
const namesField = /required field|unknown field|^Argument "/

/** What an error says of a variable's value. */
const ofVariable = /^Variable "\$(\w+)" has invalid value(?: at \.?([\w.[\]]+))?: (.*)$/s

/** An error's words without the value that they are about, which stands at their end. */
export function withoutValue(message: string): string {
  const at = message.search(/[,.;] found: | Found: /)
  return at === -1 ? message : message.slice(0, at)
}

/** The fault that an error of graphql-js tells of; undefined where no value of the caller's is at fault. */
export function faultOf({ message, nodes }: GraphQLError, document?: DocumentNode): Fault | undefined {
  const [, variable, path = '', said] = ofVariable.exec(message) ?? []
  const text = withoutValue(said ?? message)
  const node = nodes?.[0]
  const { whole, place } = variable === undefined ? placeOf(node, document) : { whole: variable, place: path }
  const isBelow = namesField.test(text) && node?.kind !== Kind.OBJECT_FIELD
  for (const [pattern, issue] of wordings) {
    const match = pattern.exec(text)
    if (!match) continue
    const field = [place, isBelow && match[1]].filter(Boolean).join('.') || whole
    if (field === undefined) return undefined
    return { field, issue: typeof issue === 'string' ? issue : issue(match) }
  }
  return undefined
}

/** Where a literal stands in what an operation of core's takes. */
interface Place {
  readonly place: string
  /** What has no name there: the argument or the variable that it is all of. */
  readonly whole: string | undefined
}

function placeOf(node: ASTNode | undefined, document: DocumentNode | undefined): Place {
  let found: Place = { place: '', whole: undefined }
  if (!node || !document) return found
  visit(document, {
    enter(at, _key, _parent, path) {
      if (at !== node) return undefined
      found = placeAt(document, path)
      return BREAK
    },
  })
  return found
}

type Tree = Readonly<Record<string | number, unknown>> & Partial<ASTNode>

function placeAt(document: DocumentNode, path: readonly (string | number)[]): Place {
  let steps: string[] = []
  let whole: string | undefined
  let at = document as unknown as Tree
  for (const [index, key] of path.entries()) {
    at = at[key] as Tree
    if (at.kind === Kind.FIELD) steps = []
    else if (at.kind === Kind.VARIABLE_DEFINITION) whole = at.variable?.name.value
    else if (at.kind === Kind.ARGUMENT && at.name?.value === 'input') whole = 'input'
    else if (at.kind === Kind.ARGUMENT || at.kind === Kind.OBJECT_FIELD) steps.push(`.${at.name?.value}`)
    else if (path[index - 1] === 'values') steps.push(`[${key}]`)
  }
  return { place: steps.join('').replace(/^\./, ''), whole }
}
