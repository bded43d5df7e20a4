import { type DocumentNode, execute, type ExecutionResult, getVariableValues, type GraphQLSchema } from 'graphql'
import { executePlan } from '../execution/execute-plan.ts'
import { operationPlanner } from '../execution/plan-operation.ts'

export interface Run {
  readonly schema: GraphQLSchema
  readonly document: DocumentNode
  readonly context: unknown
  readonly variables?: Readonly<Record<string, unknown>>
  /** How much of the plan is kept. Default: all of it. */
  readonly mostKept?: number
}

export async function byGraphqlJs({ schema, document, context, variables }: Run): Promise<ExecutionResult> {
  return execute({ schema, document, variableValues: variables, contextValue: context })
}

export async function byPlan({
  schema,
  document,
  context,
  variables = {},
  mostKept = Infinity,
}: Run): Promise<ExecutionResult> {
  const node = document.definitions.find((definition) => definition.kind === 'OperationDefinition')
  const plan = node && operationPlanner(schema, document, mostKept)(node)
  const { variableValues } = getVariableValues(schema, node?.variableDefinitions ?? [], variables)
  if (!plan || !variableValues) throw new TypeError('This is not executed from a plan.')
  return executePlan(plan, { context, variableValues, hideSuggestions: false })
}
