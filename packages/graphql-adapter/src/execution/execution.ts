import {
  defaultFieldResolver,
  type FieldNode,
  getArgumentValues,
  type GraphQLError,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type getVariableValues,
  locatedError,
  type ResponsePath,
  responsePathAsArray,
} from 'graphql'
import { disregard, isPromiseLike } from './promise-like.ts'

export type VariableValues = NonNullable<ReturnType<typeof getVariableValues>['variableValues']>

/** One execution of an operation, until its answer is whole. */
export interface Execution {
  readonly context: unknown
  readonly variableValues: VariableValues
  readonly hideSuggestions: boolean
  /** What every field is told alike. */
  readonly info: Pick<
    GraphQLResolveInfo,
    'schema' | 'fragments' | 'rootValue' | 'operation' | 'variableValues' | 'getAbortSignal' | 'getAsyncHelpers'
  >
  readonly errors: GraphQLError[]
  /** Where an error left null: nothing below is told of any more. */
  readonly nulled: Set<ResponsePath | undefined>
  /** Whether the answer was given, so that what is still under way need not go on. */
  finished: boolean
}

/** What a resolver is told of its field; only those fields have it that are resolved or of an abstract type. */
export type Info = GraphQLResolveInfo | undefined

/** Makes of a resolved value what stands in the answer. */
export type Complete = (execution: Execution, value: unknown, path: ResponsePath, info: Info) => unknown

/** A place of the answer that has a type: a field, or an entry of a list. */
export interface Position {
  readonly nodes: readonly FieldNode[]
  readonly nullable: boolean
  readonly complete: Complete
}

/** A field of an object, with all that is known of it before a request comes. */
export interface PlannedField extends Position {
  /** Its name in the answer. */
  readonly key: string
  readonly parentType: GraphQLObjectType
  readonly definition: GraphQLField<unknown, unknown>
  readonly takesInfo: boolean
}

export type Selection = readonly PlannedField[]

export type Answer = Record<string, unknown>

/** All fields of an object, at once. */
export function executeFields(
  execution: Execution,
  selection: Selection,
  source: unknown,
  path: ResponsePath | undefined,
): Answer | Promise<Answer> {
  const answer: Answer = {}
  let pending = false
  try {
    for (const field of selection) {
      const value = executeField(execution, field, source, path)
      answer[field.key] = value
      pending ||= value instanceof Promise
    }
  } catch (error) {
    if (pending) disregard(Object.values(answer))
    throw error
  }
  return pending ? settle(answer) : answer
}

/** One field after the other, as mutations are. */
export function executeInTurn(execution: Execution, selection: Selection): Answer | Promise<Answer> {
  const add = (answer: Answer, field: PlannedField) => {
    const value = executeField(execution, field, undefined, undefined)
    if (value instanceof Promise) return value.then((settled: unknown) => put(answer, field.key, settled))
    return put(answer, field.key, value)
  }
  let answer: Answer | Promise<Answer> = {}
  for (const field of selection) {
    answer = answer instanceof Promise ? answer.then((before) => add(before, field)) : add(answer, field)
  }
  return answer
}

function put(answer: Answer, key: string, value: unknown): Answer {
  answer[key] = value
  return answer
}

function executeField(
  execution: Execution,
  field: PlannedField,
  source: unknown,
  parent: ResponsePath | undefined,
): unknown {
  const { definition, parentType } = field
  const path: ResponsePath = { prev: parent, key: field.key, typename: parentType.name }
  let info: Info
  let value: unknown
  try {
    if (field.takesInfo) info = infoOf(execution, field, path)
    value = definition.resolve ? undefined : propertyOf(source, definition.name)
    if (definition.resolve || typeof value === 'function' || definition.args.length > 0) {
      const { variableValues, hideSuggestions } = execution
      const args = getArgumentValues(definition, field.nodes[0]!, variableValues, undefined, hideSuggestions)
      const resolve = definition.resolve ?? defaultFieldResolver
      value = resolve(source, args, execution.context, (info ??= infoOf(execution, field, path)))
    }
  } catch (error) {
    return fail(execution, field, error, path)
  }
  return completeAt(execution, field, value, path, info)
}

function propertyOf(source: unknown, name: string): unknown {
  const hasProperties = (typeof source === 'object' && source !== null) || typeof source === 'function'
  return hasProperties ? (source as Readonly<Record<string, unknown>>)[name] : undefined
}

function infoOf({ info }: Execution, { definition, nodes, parentType }: PlannedField, path: ResponsePath) {
  return { ...info, fieldName: definition.name, fieldNodes: nodes, returnType: definition.type, parentType, path }
}

/** Completes what was resolved for a place, now or once it is there. */
export function completeAt(
  execution: Execution,
  position: Position,
  value: unknown,
  path: ResponsePath,
  info: Info,
): unknown {
  try {
    if (isPromiseLike(value)) return completeLater(execution, position, value, path, info)
    const completed = position.complete(execution, value, path, info)
    return completed instanceof Promise
      ? completed.catch((error: unknown) => fail(execution, position, error, path))
      : completed
  } catch (error) {
    return fail(execution, position, error, path)
  }
}

async function completeLater(
  execution: Execution,
  position: Position,
  value: PromiseLike<unknown>,
  path: ResponsePath,
  info: Info,
): Promise<unknown> {
  try {
    const resolved = await value
    stopIfFinished(execution)
    const completed = position.complete(execution, resolved, path, info)
    return completed instanceof Promise ? await completed : completed
  } catch (error) {
    return fail(execution, position, error, path)
  }
}

export function stopIfFinished({ finished }: Execution): void {
  if (finished) throw new Error('The answer was given already.')
}

/** Null where that may stand, with the error beside it; else it is the error of what is around. */
function fail(execution: Execution, { nodes, nullable }: Position, thrown: unknown, path: ResponsePath): null {
  const error = locatedError(thrown, nodes, responsePathAsArray(path))
  if (!nullable) throw error
  addError(execution, error, path)
  return null
}

export function addError({ errors, nulled }: Execution, error: GraphQLError, path: ResponsePath | undefined): void {
  for (let at = path; at; at = at.prev) if (nulled.has(at)) return
  if (nulled.has(undefined)) return
  nulled.add(path)
  errors.push(error)
}

async function settle(answer: Answer): Promise<Answer> {
  const values = await Promise.all(Object.values(answer))
  for (const [index, key] of Object.keys(answer).entries()) answer[key] = values[index]
  return answer
}
