import { type Operation, typeNames } from '@fairlead/core'
import { canStream } from '@fairlead/core/adapter'
import type * as z from 'zod'
import { readElement, readFields, readMeta, readShape } from './zod-shape.ts'
import { readDiscriminator, readLiteral, readUnion } from './unions.ts'

/** The names of all types in the schemas of some operations. */
export interface TypeNames {
  of(schema: z.ZodType): string
  /** Whether the schema has a name: whether an operation uses it. */
  has(schema: z.ZodType): boolean
  /** The schema that describes the values of an enum, of those with the same values. */
  enumOf(schema: z.ZodType): z.ZodType
  /** The enum with the value of a literal; undefined for a literal that is a plain string. */
  enumWith(literal: z.ZodType): z.ZodType | undefined
}

/**
 * Collects the names that schemas declare, by `id` or in the registry `typeNames`. The input of an operation is named after
 * its root field; any other schema without a name, after the type and field in which it first appears. Enums with the same
 * values are one type.
 */
export function collectTypeNames(operations: readonly Operation[]): TypeNames {
  const names = new Map<z.ZodType | string, string>()
  const enums: z.ZodType[] = []
  const described = new Map<string, z.ZodType>()
  const plain = new Set<z.ZodType | undefined>()

  function nameEnum(schema: z.ZodType, fallback: string): void {
    const declared = typeNames.get(schema)?.name
    const known = names.get(joinValues(schema))
    if (known === undefined) enums.push(schema)
    if (declared !== undefined || known === undefined) described.set(joinValues(schema), schema)
    if (declared !== undefined || known === undefined) names.set(joinValues(schema), declared ?? fallback)
  }

  function visit(outer: z.ZodType, fallback: string, declared?: string): void {
    const { schema } = readShape(outer)
    if (schema.def.type === 'array') return visit(readElement(schema), fallback)
    if (schema.def.type === 'enum') return nameEnum(schema, fallback)
    if (schema.def.type === 'union') return visitUnion(schema, fallback)
    if (schema.def.type !== 'object' || names.has(schema)) return
    const name = declared ?? readMeta(schema).id ?? typeNames.get(schema)?.name ?? fallback
    names.set(schema, name)
    for (const [field, inner] of readFields(schema)) visit(inner, name + capitalized(field))
  }

  function visitUnion(schema: z.ZodType, fallback: string): void {
    const union = readUnion(schema)
    if (!union.discriminator) return union.options.forEach((option) => visit(option, fallback))
    const name = readMeta(schema).id ?? fallback
    names.set(schema, name)
    nameEnum(readDiscriminator(schema), name + capitalized(union.discriminator))
    for (const option of union.options) {
      // The type of an option says as much.
      plain.add(readLiteral(option, union.discriminator))
      visit(option, name)
    }
  }

  for (const operation of operations) {
    const name = capitalized(rootFieldName(operation))
    visit(findRecord(operation), name)
    visit(operation.input, name, name)
    if (operation.kind === 'action' && operation.stream && canStream(operation)) {
      visit(operation.stream.chunk, `${name}Chunk`)
    }
  }

  const enumKey = (schema: z.ZodType) => (schema.def.type === 'enum' ? joinValues(schema) : schema)
  return {
    of(schema) {
      const name = names.get(enumKey(schema))
      if (name === undefined) throw new TypeError(`A schema of type ${schema.def.type} has no name.`)
      return name
    },
    has: (schema) => names.has(enumKey(schema)),
    enumOf: (schema) => described.get(joinValues(schema)) ?? schema,
    enumWith(literal) {
      const { value } = literal as z.ZodLiteral
      return plain.has(literal)
        ? undefined
        : enums.find((schema) => (schema as z.ZodEnum).options.includes(value as string))
    },
  }
}

/** The GraphQL root field that an operation declares; throws if it declares none. */
export function rootFieldName({ name, graphql }: Operation): string {
  if (!graphql) throw new TypeError(`${name} declares no GraphQL field`)
  if ('query' in graphql) return graphql.query
  return 'mutation' in graphql ? graphql.mutation : graphql.subscription
}

/** The type that the root field of an operation returns: a record that edges add to, or the output. */
export function findRecord({ output, graphql }: Operation): z.ZodType {
  return (graphql && 'query' in graphql && graphql.node?.loader.output) || output
}

/** The values of an enum by their GraphQL names. `in_transit` is `IN_TRANSIT`, `-created_at` is `CREATED_AT_DESC`. */
export function enumOptions(schema: z.ZodType) {
  const { description, values = {} } = typeNames.get(schema) ?? {}
  const options = (schema as z.ZodEnum).options.map(String)
  return {
    ...(description !== undefined && { description }),
    values: enumValues(Object.fromEntries(options.map((value) => [value, values[value]]))),
  }
}

/** @param values with their descriptions */
export function enumValues(values: Readonly<Record<string, string | undefined>>) {
  return Object.fromEntries(
    Object.entries(values).map(([value, description]) => [
      valueName(value),
      { value, ...(description !== undefined && { description }) },
    ]),
  )
}

/** `createShipment` is `CreateShipment`. */
export function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** `CreateShipment` is `createShipment`. */
export function uncapitalized(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1)
}

function valueName(value: string): string {
  const name = value.startsWith('-') ? `${value.slice(1)}_desc` : value
  return name.toUpperCase().replaceAll('-', '_')
}

function joinValues(schema: z.ZodType): string {
  return (schema as z.ZodEnum).options.join(' ')
}
