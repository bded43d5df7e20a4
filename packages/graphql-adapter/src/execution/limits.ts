import { complexityFromQuery } from '@pothos/plugin-complexity'
import {
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  type GraphQLSchema,
  isIntrospectionType,
  type SelectionSetNode,
  type ValidationRule,
} from 'graphql'

/** The maximum size of an operation. A larger one is rejected before execution. */
export const defaultLimits = {
  /** Tokens of a document. Default: 1,000. */
  tokens: 1_000,
  /** Values in the variables, counting objects, lists and their contents. Default: 2,000. */
  values: 2_000,
  /** Nested fields. Default: 10. */
  depth: 10,
  /** Fields at all levels. Default: 500. */
  breadth: 500,
  /** Aliased fields. Default: 50. */
  aliases: 50,
  /** Fields with one response name in one selection set. Default: 25. */
  repeats: 25,
  /** Fields of the response, counting lists by their requested length; a model call counts as 20. Default: 5,000. */
  complexity: 5_000,
}

export type OperationLimits = Readonly<typeof defaultLimits>

/** The measures of an operation that `OperationLimits` bounds. */
export type Cost = Readonly<Record<'depth' | 'breadth' | 'complexity', number>>

export function measureCost(
  schema: GraphQLSchema,
  document: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
): Cost {
  const { depth, breadth, complexity } = complexityFromQuery(document, { schema, variables })
  return { depth, breadth, complexity }
}

/** The error for an operation that costs too much; undefined if it does not. */
export function checkCost(cost: Cost, limits: OperationLimits): GraphQLError | undefined {
  for (const measure of ['depth', 'breadth', 'complexity'] as const) {
    if (cost[measure] <= limits[measure]) continue
    return new GraphQLError(
      `The operation is too large: its ${measure} is ${cost[measure]}, the maximum is ${limits[measure]}.`,
    )
  }
  return undefined
}

/** Whether a JSON value contains more values than `max`, at all levels. */
export function hasMoreValues(json: unknown, max: number): boolean {
  const values = [json]
  for (const value of values) {
    if (typeof value !== 'object' || value === null) continue
    for (const inner of Object.values(value)) if (values.push(inner) > max + 1) return true
  }
  return false
}

/** Limits aliases: repeating one field under many names is how a request is amplified. */
export function maxAliasesRule(max: number): ValidationRule {
  return (context) => {
    let count = 0
    return {
      Field({ alias }) {
        if (!alias) return
        count += 1
        if (count === max + 1) context.reportError(new GraphQLError(`The document has more than ${max} aliases.`))
      },
    }
  }
}

const maxSchemaFields = 5

/**
 * Limits introspection, which the cost of an operation does not count: all types with their fields under fifty aliases
 * are 24 MB.
 */
export const maxIntrospectionRule: ValidationRule = (context) => {
  let count = 0
  const report = (reason: string) => context.reportError(new GraphQLError(`The document ${reason}.`))
  return {
    Field({ name, alias }) {
      const parent = context.getParentType()
      if (alias && parent && isIntrospectionType(parent)) report('has aliases within introspection fields')
      if (name.value !== '__schema' && name.value !== '__type') return
      count += 1
      if (count === maxSchemaFields + 1) report(`selects the schema more than ${maxSchemaFields} times`)
    },
  }
}

/**
 * The error for a document that repeats a field too often. It is found before validation, which compares fields of one
 * name in pairs: that takes a tenth of a second for a document that repeats one field throughout. Fragments on one type
 * count as one selection set.
 */
export function checkRepeats({ definitions }: DocumentNode, max: number): GraphQLError | undefined {
  const selecting = definitions.filter((node) => 'selectionSet' in node)
  const selections = Map.groupBy(selecting, (node) => ('typeCondition' in node ? node.typeCondition.name.value : node))
  for (const nodes of selections.values()) {
    const selectionSets = nodes.map(({ selectionSet }) => selectionSet)
    const repeated = repeatedIn(selectionSets, max)
    if (!repeated) continue
    const message = `The field "${repeated.name.value}" is selected more than ${max} times in one place.`
    return new GraphQLError(message, { nodes: repeated })
  }
  return undefined
}

/** The first field above the maximum, in selection sets that are merged in the response. */
function repeatedIn(selectionSets: readonly SelectionSetNode[], max: number): FieldNode | undefined {
  const fields = Map.groupBy(selectionSets.flatMap(selectedFields), ({ alias, name }) => (alias ?? name).value)
  for (const same of fields.values()) {
    const inner = same.flatMap(({ selectionSet }) => selectionSet ?? [])
    const repeated = same[max] ?? repeatedIn(inner, max)
    if (repeated) return repeated
  }
  return undefined
}

function selectedFields({ selections }: SelectionSetNode): readonly FieldNode[] {
  return selections.flatMap((selection) => {
    if (selection.kind === 'Field') return [selection]
    return selection.kind === 'InlineFragment' ? selectedFields(selection.selectionSet) : []
  })
}
