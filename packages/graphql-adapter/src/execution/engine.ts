import { type ExecutionResult, execute, GraphQLError, type GraphQLSchema, subscribe } from 'graphql'
import type { GraphqlContext } from '../context.ts'
import { hasMoreValues } from './has-more-values.ts'
import { faultsOfVariables } from './input-faults.ts'
import { knownDocuments, type KnownDocumentsOptions } from './known-documents.ts'
import type { Ready } from './known-operation.ts'
import { refuseCostly } from './refuse-costly.ts'
import { faultRefusal, maxErrors, type Refusal, toFieldError, toRefusal, toRequestErrors } from './request-error.ts'

/** What a request asks for, as GraphQL over HTTP names it. */
export interface Asked {
  readonly query?: string | null | undefined
  readonly operationName?: string | null | undefined
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined
}

/** Runs operations, and refuses before anything runs what does not fit the schema or is too large. */
export interface Engine {
  readonly schema: GraphQLSchema
  prepare(asked: Asked): Ready | readonly Refusal[]
  run(ready: Ready, context: GraphqlContext): Promise<ExecutionResult>
  subscribe(
    ready: Ready,
    context: GraphqlContext,
  ): Promise<ExecutionResult | AsyncGenerator<ExecutionResult, void, void>>
}

export function createEngine(options: KnownDocumentsOptions): Engine {
  const { schema, limits, suggestions } = options
  const read = knownDocuments(options)

  function prepare({ query, operationName, variables }: Asked): Ready | readonly Refusal[] {
    const document = read(query ?? '')
    if (document.refusals) return document.refusals
    const operation = document.operation(operationName)
    if (operation instanceof GraphQLError) return [toRefusal(operation)]
    const given = variables ?? {}
    if (hasMoreValues(given, limits.values)) {
      return [toRefusal(new GraphQLError(`The variables have more than ${limits.values} values.`))]
    }
    const definitions = operation.node.variableDefinitions ?? []
    const refusals: Refusal[] = []
    for (const { fault } of faultsOfVariables(schema, definitions, given, { suggestions })) {
      if (refusals.push(faultRefusal(fault)) === maxErrors) break
    }
    if (refusals.length > 0) return refusals
    const costly = refuseCostly(schema, limits, operation, given)
    return costly ? [toRefusal(costly)] : { operation, variables: given }
  }

  const argumentsOf = ({ operation, variables }: Ready, context: GraphqlContext) => ({
    schema,
    document: operation.document,
    variableValues: variables,
    contextValue: context,
    hideSuggestions: !suggestions,
  })

  return {
    schema,
    prepare,
    async run(ready, context) {
      return shown(await execute(argumentsOf(ready, context)), context)
    },
    async subscribe(ready, context) {
      const results = await subscribe(argumentsOf(ready, context))
      return Symbol.asyncIterator in results ? shownAll(results, context) : shown(results, context)
    },
  }
}

function shown(result: ExecutionResult, { core, requestId }: GraphqlContext): ExecutionResult {
  const { errors } = result
  return errors ? { ...result, errors: errors.map((error) => toFieldError(error, core, requestId)) } : result
}

/** Passes results on as they come; leaving it early leaves what is behind it. */
function shownAll(
  results: AsyncGenerator<ExecutionResult, void, void>,
  context: GraphqlContext,
): AsyncGenerator<ExecutionResult, void, void> {
  const next = async () => {
    const { done, value } = await results.next()
    return done ? { done, value: undefined } : { done: false as const, value: shown(value, context) }
  }
  return {
    next,
    return: () => results.return(undefined),
    throw: (error) => results.throw(error),
    [Symbol.asyncIterator]() {
      return this
    },
    [Symbol.asyncDispose]: async () => void (await results.return(undefined)),
  }
}

/** The result of a request that was refused as a whole. */
export function refusedResult(refusals: readonly Refusal[], { requestId }: GraphqlContext): ExecutionResult {
  return { errors: toRequestErrors(refusals, requestId) }
}
