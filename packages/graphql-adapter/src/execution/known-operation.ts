import { type DocumentNode, type ExecutableDefinitionNode, type OperationDefinitionNode, visit } from 'graphql'

/** One operation of a document that is known to be valid. */
export interface KnownOperation {
  readonly node: OperationDefinitionNode
  /** The document with this operation alone. */
  readonly document: DocumentNode
  /** Whether its cost depends on what its variables are. */
  readonly costVaries: boolean
  /** Whether its cost was found to be within the limits, where it does not vary. */
  affordable: boolean
}

/** An operation that nothing speaks against, with its variables. */
export interface Ready {
  readonly operation: KnownOperation
  readonly variables: Readonly<Record<string, unknown>>
}

/** The operations of a document, each with what is known of it. What they share is looked at once. */
export function knownOperations(document: DocumentNode): readonly KnownOperation[] {
  const { definitions } = document
  const fragments = definitions.filter((definition) => definition.kind === 'FragmentDefinition')
  const fragmentsVary = fragments.some(hasVariableLength)
  return definitions
    .filter((definition) => definition.kind === 'OperationDefinition')
    .map((node) => ({
      node,
      document: { ...document, definitions: [node, ...fragments] },
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
