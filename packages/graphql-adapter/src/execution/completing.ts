import {
  defaultTypeResolver,
  type FieldNode,
  type GraphQLAbstractType,
  GraphQLError,
  type GraphQLLeafType,
  type GraphQLList,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type ResponsePath,
} from 'graphql'
import { type Complete, completeAt, executeFields, type Position, type Selection, stopIfFinished } from './execution.ts'
import { disregard, isPromiseLike } from './promise-like.ts'

/** The field that values are completed for. */
export interface CompletedField {
  readonly schema: GraphQLSchema
  /** What errors call it: `Type.field`. */
  readonly name: string
  readonly nodes: readonly FieldNode[]
  /** What is selected of an object of that type in it. */
  readonly selectionOf: (type: GraphQLObjectType) => Selection
}

/** A position of that type, in the field or in its lists. */
export function positionOf(type: GraphQLOutputType, field: CompletedField): Position {
  const { nodes, name } = field
  if (!isNonNullType(type)) return { nodes, nullable: true, complete: nullable(type, field) }
  const complete = nullable(type.ofType, field)
  return {
    nodes,
    nullable: false,
    complete(execution, value, path, info) {
      const completed = complete(execution, value, path, info)
      if (completed === null) throw new Error(`Cannot return null for non-nullable field ${name}.`)
      return completed
    },
  }
}

function nullable(type: GraphQLOutputType, field: CompletedField): Complete {
  const complete = ofKind(type, field)
  return (execution, value, path, info) => {
    if (value instanceof Error) throw value
    return value === null || value === undefined ? null : complete(execution, value, path, info)
  }
}

function ofKind(type: GraphQLOutputType, field: CompletedField): Complete {
  if (isListType(type)) return ofList(type, field)
  if (isLeafType(type)) return ofLeaf(type)
  if (isAbstractType(type)) return ofAbstractType(type, field)
  if (isObjectType(type)) return ofObject(type, field)
  throw new TypeError(`No value is of the type "${String(type)}".`)
}

function ofList(type: GraphQLList<GraphQLOutputType>, field: CompletedField): Complete {
  const entry = positionOf(type.ofType, field)
  return (execution, value, path, info) => {
    if (!isIterable(value)) {
      throw new GraphQLError(`Expected Iterable, but did not find one for field "${field.name}".`)
    }
    const entries = Array.isArray(value) ? (value as readonly unknown[]) : [...value]
    const completed: unknown[] = []
    let pending = false
    try {
      for (let index = 0; index < entries.length; index++) {
        const at: ResponsePath = { prev: path, key: index, typename: undefined }
        const one = completeAt(execution, entry, entries[index], at, info)
        completed.push(one)
        pending ||= one instanceof Promise
      }
    } catch (error) {
      disregard(completed)
      disregard(entries.slice(completed.length))
      throw error
    }
    return pending ? Promise.all(completed) : completed
  }
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value
}

function ofLeaf(type: GraphQLLeafType): Complete {
  return (_execution, value) => {
    const coerced: unknown = type.coerceOutputValue(value)
    if (coerced !== null && coerced !== undefined) return coerced
    throw new Error(`"${type.name}" made nothing of a value of the type ${typeof value}.`)
  }
}

function ofAbstractType(type: GraphQLAbstractType, field: CompletedField): Complete {
  const { schema } = field
  const resolveType = type.resolveType ?? defaultTypeResolver
  return (execution, value, path, info) => {
    if (!info) throw new TypeError(`The field ${field.name} has no info.`)
    const complete = (name: unknown) => {
      const found = typeof name === 'string' ? schema.getType(name) : undefined
      if (isObjectType(found) && schema.isSubType(type, found)) {
        return executeFields(execution, field.selectionOf(found), value, path)
      }
      throw new GraphQLError(unresolved(type, field, name), field)
    }
    const name: unknown = resolveType(value, execution.context, info, type)
    if (!isPromiseLike(name)) return complete(name)
    return name.then((resolved) => {
      stopIfFinished(execution)
      return complete(resolved)
    })
  }
}

/** In graphql-js' words. It tells apart some more reasons, none of which a caller ever reads. */
function unresolved({ name: type }: GraphQLAbstractType, { name: field }: CompletedField, resolved: unknown): string {
  const mend = `Either the "${type}" type should provide a "resolveType" function or each possible type should provide an "isTypeOf" function.`
  const what = resolved === undefined ? mend : `It was resolved to ${String(resolved)}.`
  return `Abstract type "${type}" must resolve to an Object type at runtime for field "${field}". ${what}`
}

function ofObject(type: GraphQLObjectType, field: CompletedField): Complete {
  return (execution, value, path) => executeFields(execution, field.selectionOf(type), value, path)
}
