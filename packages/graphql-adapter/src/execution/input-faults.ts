import { clip, maxNameLength, nearest } from '@fairlead/core'
import {
  coerceInputLiteral,
  coerceInputValue,
  type GraphQLInputType,
  type GraphQLLeafType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInputType,
  isLeafType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  Kind,
  typeFromAST,
  type ValueNode,
  type VariableDefinitionNode,
} from 'graphql'
import { scalarRules } from '../scalars.ts'

/** What is wrong with which field of an input, as core would say it. No fault repeats a value: it may be a password. */
export interface Fault {
  /** As core spells it: `maxTokens`, `tasks[0]`, `origin.city`. */
  readonly field: string
  readonly issue: string
}

/** Where a value stands: the name of its variable or argument, then fields and indices. */
interface InputPath {
  readonly root: string
  /** Whether paths below the root leave it out, as core knows no argument `input`. */
  readonly hidesRoot: boolean
  readonly steps: readonly (string | number)[]
}

/** How a kind of value is read: JSON of a variable, or a literal of a document. */
interface Form<Value> {
  isAbsent(value: Value): boolean
  /** Whether only an execution tells the value. */
  isOpen(value: Value): boolean
  itemsOf(value: Value): readonly Value[] | undefined
  fieldsOf(value: Value): ReadonlyMap<string, Value> | undefined
  fits(value: Value, type: GraphQLLeafType): boolean
}

const json: Form<unknown> = {
  isAbsent: (value) => value === null || value === undefined,
  isOpen: () => false,
  itemsOf: (value) => (Array.isArray(value) ? value : undefined),
  fieldsOf: (value) =>
    typeof value === 'object' && !Array.isArray(value) ? new Map(Object.entries(value as object)) : undefined,
  fits: (value, type) =>
    isEnumType(type)
      ? typeof value === 'string' && type.getValue(value) !== undefined
      : coerceInputValue(value, type) !== undefined,
}

const literal: Form<ValueNode> = {
  isAbsent: ({ kind }) => kind === Kind.NULL,
  isOpen: ({ kind }) => kind === Kind.VARIABLE,
  itemsOf: (node) => (node.kind === Kind.LIST ? node.values : undefined),
  fieldsOf: (node) =>
    node.kind === Kind.OBJECT ? new Map(node.fields.map(({ name, value }) => [name.value, value])) : undefined,
  fits: (node, type) =>
    isEnumType(type)
      ? node.kind === Kind.ENUM && type.getValue(node.value) !== undefined
      : coerceInputLiteral(node, type) !== undefined,
}

export interface FaultOptions {
  /** Whether an unknown name is answered with the one that was probably meant. */
  readonly suggestions: boolean
}

export interface FoundFault<Value> {
  readonly fault: Fault
  /** The value that it was found in. */
  readonly at: Value
}

type Faults<Value> = Generator<FoundFault<Value>, void, undefined>

/** Why the variables of a valid operation do not fit its types: what graphql-js would refuse, found one after the other. */
export function* faultsOfVariables(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  given: Readonly<Record<string, unknown>>,
  options: FaultOptions,
): Faults<unknown> {
  for (const { variable, type: typeNode, defaultValue } of definitions) {
    const name = variable.name.value
    const type = typeFromAST(schema, typeNode)
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    if (!isInputType(type) || (value === undefined && defaultValue)) continue
    yield* faultsIn(json, value, type, { root: name, hidesRoot: true, steps: [] }, options)
  }
}

/** Why a literal does not fit its type. */
export function faultsOfLiteral(
  node: ValueNode,
  type: GraphQLInputType,
  name: string,
  options: FaultOptions,
): Faults<ValueNode> {
  return faultsIn(literal, node, type, { root: name, hidesRoot: name === 'input', steps: [] }, options)
}

function* faultsIn<Value>(
  form: Form<Value>,
  value: Value,
  type: GraphQLInputType,
  path: InputPath,
  options: FaultOptions,
): Faults<Value> {
  if (form.isOpen(value)) return
  if (form.isAbsent(value)) {
    if (isNonNullType(type)) yield { fault: faultAt(path, 'is required'), at: value }
    return
  }
  const expected = isNonNullType(type) ? type.ofType : type
  if (isListType(expected)) {
    const items = form.itemsOf(value)
    if (!items) return yield* faultsIn(form, value, expected.ofType, path, options)
    for (const [index, item] of items.entries()) {
      yield* faultsIn(form, item, expected.ofType, below(path, index), options)
    }
  } else if (isInputObjectType(expected)) {
    const fields = form.fieldsOf(value)
    if (!fields) return yield { fault: faultAt(path, 'must be an object'), at: value }
    const known = expected.getFields()
    for (const field of Object.values(known)) {
      const given = fields.get(field.name)
      if (given !== undefined) yield* faultsIn(form, given, field.type, below(path, field.name), options)
      else if (isRequiredInputField(field)) yield { fault: faultAt(below(path, field.name), 'is required'), at: value }
    }
    for (const [name, given] of fields) {
      if (Object.hasOwn(known, name)) continue
      yield { fault: faultAt(below(path, name), unknownName(name, Object.keys(known), options)), at: given }
    }
  } else if (isLeafType(expected) && !form.fits(value, expected)) {
    yield { fault: faultAt(path, leafIssue(expected)), at: value }
  }
}

function leafIssue(type: GraphQLLeafType): string {
  if (isEnumType(type)) return `must be one of the values of ${type.name}`
  return scalarRules[type.name] ?? `must be of the type ${type.name}`
}

/** What is said of a name that the schema has not. */
export function unknownName(name: string, known: readonly string[], { suggestions }: FaultOptions): string {
  const meant = suggestions ? nearest(name, known) : undefined
  return meant === undefined ? 'is not a known field' : `is not a known field; did you mean "${meant}"?`
}

function below(path: InputPath, step: string | number): InputPath {
  return { ...path, steps: [...path.steps, step] }
}

function faultAt({ root, hidesRoot, steps }: InputPath, issue: string): Fault {
  const [first] = steps
  const shown = hidesRoot && typeof first === 'string' ? steps : [root, ...steps]
  const field = shown.map((step, index) => (typeof step === 'number' ? `[${step}]` : index > 0 ? `.${step}` : step))
  return { field: clip(field.join(''), maxNameLength), issue }
}
