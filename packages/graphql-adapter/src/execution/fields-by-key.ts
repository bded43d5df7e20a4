import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  type InlineFragmentNode,
  isAbstractType,
  type SelectionSetNode,
} from 'graphql'

export interface FieldsByKeyOptions {
  readonly schema: GraphQLSchema
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>
}

/** A field or an operation. */
export interface Selecting {
  readonly selectionSet?: SelectionSetNode | undefined
}

/** The fields that are selected of an object, by their names in the answer: those of one name are one field of it. */
export function fieldsByKey(
  { schema, fragments }: FieldsByKeyOptions,
  type: GraphQLObjectType,
  nodes: readonly Selecting[],
): ReadonlyMap<string, readonly FieldNode[]> {
  const found = new Map<string, FieldNode[]>()
  const spread = new Set<string>()

  function collect({ selections }: SelectionSetNode): void {
    for (const selection of selections) {
      if (selection.kind === 'Field') {
        const key = (selection.alias ?? selection.name).value
        const same = found.get(key)
        if (same) same.push(selection)
        else found.set(key, [selection])
      } else if (selection.kind === 'InlineFragment') {
        if (isOf(selection)) collect(selection.selectionSet)
      } else {
        const { value: name } = selection.name
        const fragment = fragments[name]
        if (!fragment || spread.has(name) || !isOf(fragment)) continue
        spread.add(name)
        collect(fragment.selectionSet)
      }
    }
  }

  function isOf({ typeCondition }: InlineFragmentNode | FragmentDefinitionNode): boolean {
    if (!typeCondition) return true
    const condition = schema.getType(typeCondition.name.value)
    return condition === type || (isAbstractType(condition) && schema.isSubType(condition, type))
  }

  for (const { selectionSet } of nodes) if (selectionSet) collect(selectionSet)
  return found
}
