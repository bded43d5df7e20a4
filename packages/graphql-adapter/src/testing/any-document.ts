import { boolean, type GeneratorValue, integer, nat } from 'fast-check'
import {
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isUnionType,
  type OperationTypeNode,
} from 'graphql'

/** Arguments of `echo`, each under an alias of its own, since fields of one name must be alike. */
const echoes = ['(times: 2)', '(text: null, times: -1)', '(text: $text, times: 3)', '(text: "loud", times: $times)']

const fragmentTypes = ['Thing', 'Being', 'Cat', 'Pet'] as const

/** Writes some document: fields and aliases, merged ones too, fragments of all kinds, on types that fit or don't. */
export function anyDocument(g: GeneratorValue, schema: GraphQLSchema, operation: OperationTypeNode): string {
  const rootType = schema.getRootType(operation)
  const fragments = fragmentTypes.map(
    (name) => `fragment on${name} on ${name} { ${selection(schema.getType(name) as GraphQLCompositeType, 1)} }`,
  )

  function selection(type: GraphQLCompositeType, depth: number): string {
    const parts = Array.from({ length: g(integer, { min: 1, max: 4 }) }, () => part(type, depth))
    return `__typename ${parts.join(' ')}`
  }

  function oneOf<Item>(items: readonly Item[]): Item {
    return items[g(nat, items.length - 1)] as Item
  }

  function part(type: GraphQLCompositeType, depth: number): string {
    const kind = g(integer, { min: 0, max: 7 })
    if (depth > 1 && kind === 0) return `...on${oneOf(fragmentTypes)}`
    if (depth > 0 && kind === 1) return `... { ${selection(type, depth - 1)} }`
    if (depth > 0 && (kind === 2 || isUnionType(type))) {
      const name = oneOf([...fragmentTypes, type.name])
      return `... on ${name} { ${selection(schema.getType(name) as GraphQLCompositeType, depth - 1)} }`
    }
    return isUnionType(type) ? '__typename' : field(oneOf(Object.values(type.getFields())), depth)
  }

  function field({ name, type }: GraphQLField<unknown, unknown>, depth: number): string {
    if (name === 'echo') {
      const echo = g(nat, echoes.length - 1)
      return `echo${echo}: echo${echoes[echo]}`
    }
    const alias = g(boolean) ? '' : `other${name}: `
    const named = getNamedType(type)
    if (!isCompositeType(named)) return alias + name
    return `${alias}${name} { ${depth > 0 ? selection(named, depth - 1) : '__typename'} }`
  }

  if (!rootType) throw new TypeError(`The schema has no ${operation}.`)
  return `${operation} ($text: String, $times: Int!) { ${selection(rootType, 4)} }\n${fragments.join('\n')}`
}
