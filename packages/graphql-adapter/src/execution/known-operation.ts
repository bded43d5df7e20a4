import {
  type DocumentNode,
  type ExecutableDefinitionNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
  visit,
} from 'graphql'
import type { VariableValues } from './execution.ts'
import { type OperationPlan, operationPlanner } from './plan-operation.ts'

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

/** The operations of a document, each with what is known of it. What they share is looked at once. */
export function knownOperations(schema: GraphQLSchema, document: DocumentNode): readonly KnownOperation[] {
  const { definitions, tokenCount = 0 } = document
  const fragments = definitions.filter((definition) => definition.kind === 'FragmentDefinition')
  const planOf = operationPlanner(schema, document, tokenCount)
  const fragmentsVary = fragments.some(hasVariableLength)
  return definitions
    .filter((definition) => definition.kind === 'OperationDefinition')
    .map((node) => ({
      node,
      document: { ...document, definitions: [node, ...fragments] },
      plan: planOf(node),
      costVaries: fragmentsVary || hasVariableLength(node),
      affordable: false,
    }))
}

/** Only the length of lists tells in the cost. */
function hasVariableLength(definition: ExecutableDefinitionNode): boolean {
  let varies = false
  visit(definition, {
    Argument({ name, value }) {
      if (name.value === 'first' && value.kind === 'Variable') varies = true
    },
  })
  return varies
}
