import { clip, maxNameLength, suggestField } from '@fairlead/core/adapter'
import {
  type ConstValueNode,
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
import type { Fault } from '../errors.ts'
import { scalarRules } from '../schema/builder.ts'

// graphql's own `validateInputValue` says only in prose which field is missing or unknown, and quotes the whole value:
// its path leads to the object around the field. An error of Fairlead names the field, in bounded size.

/** The position of a value, as errors name it. */
interface InputPath {
  readonly name: string
  /** The prefix of the names of its fields. */
  readonly prefix: string
}

/** How to read a value: JSON of a variable, or a literal of a document. */
interface Form<Value> {
  isNull(value: Value): boolean
  /** Whether the value is unknown before execution. */
  isVariable(value: Value): boolean
  itemsOf(value: Value): readonly Value[] | undefined
  fieldsOf(value: Value): ReadonlyMap<string, Value> | undefined
  fits(value: Value, type: GraphQLLeafType): boolean
}

const json: Form<unknown> = {
  isNull: (value) => value === null || value === undefined,
  isVariable: () => false,
  itemsOf: (value) => (Array.isArray(value) ? value : undefined),
  fieldsOf: (value) =>
    typeof value === 'object' && !Array.isArray(value) ? new Map(Object.entries(value as object)) : undefined,
  fits: (value, type) =>
    isEnumType(type)
      ? typeof value === 'string' && type.getValue(value) !== undefined
      : isAccepted(() => type.parseValue(value)),
}

const literal: Form<ValueNode> = {
  isNull: ({ kind }) => kind === Kind.NULL,
  isVariable: ({ kind }) => kind === Kind.VARIABLE,
  itemsOf: (node) => (node.kind === Kind.LIST ? node.values : undefined),
  fieldsOf: (node) =>
    node.kind === Kind.OBJECT ? new Map(node.fields.map(({ name, value }) => [name.value, value])) : undefined,
  fits: (node, type) =>
    isEnumType(type)
      ? node.kind === Kind.ENUM && type.getValue(node.value) !== undefined
      : isAccepted(() => type.coerceInputLiteral?.(node as ConstValueNode) ?? type.parseLiteral(node, undefined)),
}

/** GraphQL 16 has only `parse…`; the scalars of GraphQL 17 reject literals of another kind only with `coerce…`. */
function isAccepted(coerce: () => unknown): boolean {
  try {
    return coerce() !== undefined
  } catch {
    return false
  }
}

export interface FoundFault<Value> {
  readonly fault: Fault
  /** The value it was found in. */
  readonly value: Value
}

type Faults<Value> = Generator<FoundFault<Value>, void, undefined>

/** Yields what graphql-js would reject in the variables of a valid operation. */
export function* faultsOfVariables(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  variables: Readonly<Record<string, unknown>>,
  suggestions: boolean,
): Faults<unknown> {
  for (const { variable, type: typeNode, defaultValue } of definitions) {
    const name = variable.name.value
    const type = typeFromAST(schema, typeNode)
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined
    if (!isInputType(type) || (value === undefined && defaultValue)) continue
    yield* faultsIn(json, value, type, { name, prefix: '' }, suggestions)
  }
}

/** Yields what does not fit the type of a literal. */
export function faultsOfLiteral(
  node: ValueNode,
  type: GraphQLInputType,
  name: string,
  suggestions: boolean,
): Faults<ValueNode> {
  // Core has no argument `input`.
  return faultsIn(literal, node, type, { name, prefix: name === 'input' ? '' : `${name}.` }, suggestions)
}

function* faultsIn<Value>(
  form: Form<Value>,
  value: Value,
  type: GraphQLInputType,
  path: InputPath,
  suggestions: boolean,
): Faults<Value> {
  if (form.isVariable(value)) return
  if (form.isNull(value)) {
    if (isNonNullType(type)) yield { fault: faultAt(path, 'is required'), value }
    return
  }
  const expected = isNonNullType(type) ? type.ofType : type
  if (isListType(expected)) {
    const items = form.itemsOf(value)
    if (!items) return yield* faultsIn(form, value, expected.ofType, path, suggestions)
    for (const [index, item] of items.entries()) {
      yield* faultsIn(form, item, expected.ofType, at(`${path.name}[${index}]`), suggestions)
    }
  } else if (isInputObjectType(expected)) {
    const fields = form.fieldsOf(value)
    if (!fields) return yield { fault: faultAt(path, 'must be an object'), value }
    const known = expected.getFields()
    for (const field of Object.values(known)) {
      const sent = fields.get(field.name)
      const inner = at(path.prefix + field.name)
      const listName = `${field.name}Parts`
      if (sent === undefined) {
        if (isRequiredInputField(field)) yield { fault: faultAt(inner, 'is required'), value }
      } else if (form.itemsOf(sent) && Object.hasOwn(known, listName)) {
        yield { fault: faultAt(inner, `must be a string; a list belongs in "${listName}"`), value: sent }
      } else yield* faultsIn(form, sent, field.type, inner, suggestions)
    }
    for (const [name, sent] of fields) {
      if (Object.hasOwn(known, name)) continue
      yield { fault: faultAt(at(path.prefix + name), unknownName(name, Object.keys(known), suggestions)), value: sent }
    }
  } else if (isLeafType(expected) && !form.fits(value, expected)) {
    yield { fault: faultAt(path, leafIssue(expected, suggestions)), value }
  }
}

const maxListedValues = 12

function leafIssue(type: GraphQLLeafType, suggestions: boolean): string {
  if (isEnumType(type)) {
    const values = type.getValues().map(({ name }) => name)
    const list = suggestions && values.length <= maxListedValues ? `: ${values.join(', ')}` : ''
    return `must be one of the values of ${type.name}${list}`
  }
  return scalarRules[type.name] ?? `must be of the type ${type.name}`
}

/** The issue of a name that the schema does not have. */
export function unknownName(name: string, known: readonly string[], suggestions: boolean): string {
  const { suggestion, hint } = suggestions ? suggestField(name, known) : {}
  if (hint !== undefined) return `is not a known field; ${hint}`
  return suggestion === undefined ? 'is not a known field' : `is not a known field; did you mean "${suggestion}"?`
}

function at(name: string): InputPath {
  return { name, prefix: `${name}.` }
}

function faultAt({ name }: InputPath, issue: string): Fault {
  return { field: clip(name, maxNameLength), issue }
}
