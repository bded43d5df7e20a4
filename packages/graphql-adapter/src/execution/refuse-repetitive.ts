import { type DocumentNode, type FieldNode, GraphQLError, type SelectionSetNode } from 'graphql'

/**
 * Why a document is refused before it is validated: whether fields of one name can be one field of the answer is found
 * pair by pair, which takes a tenth of a second where all of a document is one field over and over. Fragments on one
 * type count as if they were in one place.
 */
export function refuseRepetitive({ definitions }: DocumentNode, most: number): GraphQLError | undefined {
  const selecting = definitions.filter((node) => 'selectionSet' in node)
  const places = Map.groupBy(selecting, (node) => ('typeCondition' in node ? node.typeCondition.name.value : node))
  for (const nodes of places.values()) {
    const selectionSets = nodes.map(({ selectionSet }) => selectionSet)
    const repeated = repeatedIn(selectionSets, most)
    if (!repeated) continue
    const message = `The field "${repeated.name.value}" stands more than ${most} times in one place.`
    return new GraphQLError(message, { nodes: repeated })
  }
  return undefined
}

/** The first field too many of one name in the answer, in selection sets that become one there. */
function repeatedIn(selectionSets: readonly SelectionSetNode[], most: number): FieldNode | undefined {
  const fields = Map.groupBy(selectionSets.flatMap(fieldsOf), ({ alias, name }) => (alias ?? name).value)
  for (const same of fields.values()) {
    const repeated =
      same[most] ??
      repeatedIn(
        same.flatMap(({ selectionSet }) => selectionSet ?? []),
        most,
      )
    if (repeated) return repeated
  }
  return undefined
}

function fieldsOf({ selections }: SelectionSetNode): readonly FieldNode[] {
  return selections.flatMap((selection) => {
    if (selection.kind === 'Field') return [selection]
    return selection.kind === 'InlineFragment' ? fieldsOf(selection.selectionSet) : []
  })
}
