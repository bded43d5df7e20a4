import {
  type DocumentNode,
  type FragmentDefinitionNode,
  getNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isAbstractType,
  type OperationDefinitionNode,
  visit,
} from 'graphql'
import { positionOf } from './completing.ts'
import type { PlannedField, Selection } from './execution.ts'
import { fieldsByKey, type FieldsByKeyOptions, type Selecting } from './fields-by-key.ts'

/** An operation with what can be known of its execution before it runs. */
export interface OperationPlan {
  readonly schema: GraphQLSchema
  readonly node: OperationDefinitionNode
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>
  readonly rootSelection: () => Selection
}

/**
 * Plans a valid query or mutation; undefined for what graphql-js is to execute: subscriptions, whatever has directives,
 * and an answer with a name that would be no property of it.
 *
 * @param mostKept how many planned fields may be kept: fragments in fragments could make many of a short document
 */
export function planOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  node: OperationDefinitionNode,
  mostKept: number,
): OperationPlan | undefined {
  const rootType = schema.getRootType(node.operation)
  if (!rootType || node.operation === 'subscription' || !isPlain(document)) return undefined
  const fragments: Record<string, FragmentDefinitionNode> = Object.create(null)
  for (const definition of document.definitions) {
    if (definition.kind === 'FragmentDefinition') fragments[definition.name.value] = definition
  }
  const selectionOf = planner({ schema, fragments }, mostKept)
  return { schema, node, fragments, rootSelection: selectionOf([node]).bind(undefined, rootType) }
}

function isPlain(document: DocumentNode): boolean {
  let plain = true
  visit(document, {
    Directive: () => void (plain = false),
    Field: ({ alias }) => void (plain &&= alias?.value !== '__proto__'),
  })
  return plain
}

/** Plans each selection when it is first met. */
function planner(document: FieldsByKeyOptions, mostKept: number) {
  const { schema } = document
  let kept = 0

  function selectionOf(nodes: readonly Selecting[]): (type: GraphQLObjectType) => Selection {
    const known = new Map<GraphQLObjectType, Selection>()
    return (type) => {
      let selection = known.get(type)
      if (selection) return selection
      selection = plan(type, nodes)
      if (kept + selection.length <= mostKept) {
        kept += selection.length
        known.set(type, selection)
      }
      return selection
    }
  }

  function plan(parentType: GraphQLObjectType, nodes: readonly Selecting[]): Selection {
    const fields: PlannedField[] = []
    for (const [key, fieldNodes] of fieldsByKey(document, parentType, nodes)) {
      const definition = schema.getField(parentType, fieldNodes[0]?.name.value ?? '')
      if (!definition) continue
      const position = positionOf(definition.type, {
        schema,
        name: `${parentType.name}.${definition.name}`,
        nodes: fieldNodes,
        selectionOf: selectionOf(fieldNodes),
      })
      const takesInfo = definition.resolve !== undefined || isAbstractType(getNamedType(definition.type))
      fields.push({ key, parentType, definition, takesInfo, ...position })
    }
    return fields
  }

  return selectionOf
}
