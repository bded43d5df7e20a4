import type { Limits } from '@fairlead/core'
import { type ExecutionResult, execute, GraphQLError, subscribe } from 'graphql'
import type { GraphqlContext } from '../context.ts'
import { faultRefusal, maxErrors, type Refusal, toFieldError, toRefusal, toRequestErrors } from '../errors.ts'
import { documentChecker, type DocumentOptions, type ValidOperation } from './documents.ts'
import { faultsOfVariables } from './input-faults.ts'
import { checkCost, type Cost, hasMoreValues, measureCost } from './limits.ts'

/** The parameters of a GraphQL request. */
export interface GraphqlRequest {
  readonly query?: string | null | undefined
  readonly operationName?: string | null | undefined
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined
}

/** An operation that has passed all checks, with its variables. */
export interface PreparedOperation {
  readonly operation: ValidOperation
  readonly cost: Cost
  readonly variables: Readonly<Record<string, unknown>>
}

/** Checks operations before execution, and executes them. */
export type Engine = ReturnType<typeof createEngine>

export function createEngine(options: DocumentOptions) {
  const { schema, limits, suggestions } = options
  const check = documentChecker(options)

  function prepare({ query, operationName, variables: sent }: GraphqlRequest): PreparedOperation | readonly Refusal[] {
    const document = check(query ?? '')
    if (document.refusals) return document.refusals
    const operation = document.operation(operationName)
    if (operation instanceof GraphQLError) return [toRefusal(operation)]
    const variables = sent ?? {}
    if (hasMoreValues(variables, limits.values)) {
      return [toRefusal(new GraphQLError(`The variables have more than ${limits.values} values.`))]
    }
    const refusals: Refusal[] = []
    const definitions = operation.node.variableDefinitions ?? []
    for (const { fault } of faultsOfVariables(schema, definitions, variables, suggestions)) {
      if (refusals.push(faultRefusal(fault)) === maxErrors) break
    }
    if (refusals.length > 0) return refusals
    const cost = operation.cost ?? measureCost(schema, operation.document, variables)
    const costly = checkCost(cost, limits)
    if (costly) return [toRefusal(costly)]
    if (!operation.costVaries) operation.cost = cost
    return { operation, cost, variables }
  }

  /** The operation's cost, its limits, and the caller's limits after it. */
  function toExtensions({ depth, breadth, complexity }: Cost, { outcome }: GraphqlContext) {
    const { limits: quota, burst } = outcome
    const maximum = { depth: limits.depth, breadth: limits.breadth, complexity: limits.complexity }
    return {
      cost: { depth, breadth, complexity, maximum },
      ...(quota && { quota: shown(quota) }),
      ...(burst && { burst: shown(burst) }),
    }
  }

  const toArguments = ({ operation, variables }: PreparedOperation, context: GraphqlContext) => ({
    schema,
    document: operation.document,
    variableValues: variables,
    contextValue: context,
  })

  return {
    schema,
    prepare,
    async execute(prepared: PreparedOperation, context: GraphqlContext): Promise<ExecutionResult> {
      const result = toResult(await execute(toArguments(prepared, context)), prepared, context)
      return { ...result, extensions: toExtensions(prepared.cost, context) }
    },
    async subscribe(prepared: PreparedOperation, context: GraphqlContext) {
      const results = await subscribe(toArguments(prepared, context))
      return Symbol.asyncIterator in results
        ? toResults(results, prepared, context)
        : toResult(results, prepared, context)
    },
  }
}

function shown({ limit, remaining, resetAt }: Limits) {
  return { limit, remaining, resetAt: new Date(resetAt).toISOString() }
}

function toResult(result: ExecutionResult, { variables }: PreparedOperation, context: GraphqlContext): ExecutionResult {
  const { errors } = result
  const isNull = (variable: string) => variables[variable] === null
  return errors ? { ...result, errors: errors.map((error) => toFieldError(error, context, isNull)) } : result
}

/** Not a generator function: `return` must reach the source at once, also while `next` is pending. */
function toResults(
  results: AsyncGenerator<ExecutionResult, void, void>,
  prepared: PreparedOperation,
  context: GraphqlContext,
): AsyncGenerator<ExecutionResult, void, void> {
  const next = async () => {
    const { done, value } = await results.next()
    return done ? { done, value: undefined } : { done: false as const, value: toResult(value, prepared, context) }
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

/** The result of a rejected request. */
export function refusedResult(refusals: readonly Refusal[], { requestId }: GraphqlContext): ExecutionResult {
  return { errors: toRequestErrors(refusals, requestId) }
}
