import { type DocumentNode, type GraphQLSchema, type OperationDefinitionNode, visit } from 'graphql'
import type { VariableValues } from './execution.ts'
import { type OperationPlan, planOperation } from './plan-operation.ts'

/** One operation of a document that is known to be valid. */
export interface KnownOperation {
  readonly node: OperationDefinitionNode
  /** The document with this operation alone. */
  readonly document: DocumentNode
  /** How it is executed; undefined where graphql-js does that. */
  readonly plan: OperationPlan | undefined
  /** Whether its cost depends on what its variables are. */
  readonly costVaries: boolean
  /** Whether its cost was found to be within the limits, where it does not vary. */
  affordable: boolean
}

/** An operation that nothing speaks against, with its variables. */
export interface Ready {
  readonly operation: KnownOperation
  readonly variables: Readonly<Record<string, unknown>>
  /** The same, as their types take them. */
  readonly variableValues: VariableValues
}

export function knownOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  node: OperationDefinitionNode,
): KnownOperation {
  const alone = {
    ...document,
    definitions: document.definitions.filter(
      (definition) => definition === node || definition.kind === 'FragmentDefinition',
    ),
  }
  const plan = planOperation(schema, alone, node, document.tokenCount ?? 0)
  return { node, document: alone, plan, costVaries: hasVariableLength(alone), affordable: false }
}

/** Only the length of lists tells in the cost. */
function hasVariableLength(document: DocumentNode): boolean {
  let varies = false
  visit(document, {
    Argument({ name, value }) {
      if (name.value === 'first' && value.kind === 'Variable') varies = true
    },
  })
  return varies
}
