import {
  type DocumentNode,
  type ExecutableDefinitionNode,
  type FieldNode,
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

/** Plans an operation; undefined for what graphql-js is to execute. */
export type PlanOperation = (node: OperationDefinitionNode) => OperationPlan | undefined

/**
 * Plans the operations of a valid document, but for whatever has directives, and an answer with a name that would be no
 * property of it. The plan of a subscription is that of each of its events.
 *
 * @param mostKept how many planned fields the operations may keep together: fragments in fragments, or in many
 * operations, could make many of a short document
 */
export function operationPlanner(schema: GraphQLSchema, document: DocumentNode, mostKept: number): PlanOperation {
  const fragments: Record<string, FragmentDefinitionNode> = Object.create(null)
  for (const definition of document.definitions) {
    if (definition.kind === 'FragmentDefinition') fragments[definition.name.value] = definition
  }
  const selectionOf = planner({ schema, fragments }, mostKept)
  const arePlain = Object.values(fragments).every(isPlain)

  return (node) => {
    const rootType = schema.getRootType(node.operation)
    if (!rootType || !arePlain || !isPlain(node)) return undefined
    return { schema, node, fragments, rootSelection: selectionOf([node]).bind(undefined, rootType) }
  }
}

function isPlain(definition: ExecutableDefinitionNode): boolean {
  let plain = true
  visit(definition, {
    Directive: () => void (plain = false),
    Field: ({ alias }) => void (plain &&= alias?.value !== '__proto__'),
  })
  return plain
}

/** Plans each selection when it is first met. A fragment's fields are planned once, wherever it is spread. */
function planner(document: FieldsByKeyOptions, mostKept: number) {
  const { schema } = document
  const alone = new Map<FieldNode, PlannedField>()
  let kept = 0

  function selectionOf(nodes: readonly Selecting[]): (type: GraphQLObjectType) => Selection {
    const known = new Map<GraphQLObjectType, Selection>()
    return (type) => {
      let selection = known.get(type)
      if (selection) return selection
      const before = kept
      selection = plan(type, nodes)
      if (kept <= mostKept) known.set(type, selection)
      else kept = before
      return selection
    }
  }

  function plan(parentType: GraphQLObjectType, nodes: readonly Selecting[]): Selection {
    const fields: PlannedField[] = []
    for (const [key, fieldNodes] of fieldsByKey(document, parentType, nodes)) {
      const field = fieldOf(parentType, key, fieldNodes)
      if (field) fields.push(field)
    }
    return fields
  }

  function fieldOf(parentType: GraphQLObjectType, key: string, nodes: readonly FieldNode[]): PlannedField | undefined {
    const [first, ...others] = nodes
    if (!first) return undefined
    const planned = others.length > 0 ? undefined : alone.get(first)
    if (planned?.parentType === parentType) return planned
    const definition = schema.getField(parentType, first.name.value)
    if (!definition) return undefined
    const name = `${parentType.name}.${definition.name}`
    const position = positionOf(definition.type, { schema, name, nodes, selectionOf: selectionOf(nodes) })
    const takesInfo = definition.resolve !== undefined || isAbstractType(getNamedType(definition.type))
    const field = { key, parentType, definition, takesInfo, ...position }
    kept += 1
    if (others.length === 0) alone.set(first, field)
    return field
  }

  return selectionOf
}
