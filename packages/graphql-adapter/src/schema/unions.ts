import { typeNames } from '@fairlead/core'
import * as z from 'zod'
import { readFields, readMeta, readShape } from './zod-shape.ts'

/**
 * GraphQL has no unions of inputs and none with scalars. As an input, a union with a discriminator is one type with the
 * fields of all options. A field that takes a string or a list becomes two: `content` and `contentParts`.
 */
export interface Union {
  readonly options: readonly z.ZodType[]
  /** Undefined for a union of a string and a list. */
  readonly discriminator: string | undefined
}

export function readUnion(schema: z.ZodType): Union {
  const { options, discriminator } = schema.def as z.core.$ZodUnionDef & { readonly discriminator?: string }
  return { options: options as readonly z.ZodType[], discriminator }
}

const discriminators = new WeakMap<z.ZodType, z.ZodType>()

/** The values of a discriminator as an enum: one schema for each union, as it stands for one GraphQL type. */
export function readDiscriminator(schema: z.ZodType): z.ZodType {
  let values = discriminators.get(schema)
  if (!values) {
    const { options, discriminator = '' } = readUnion(schema)
    const described = options.flatMap((option) => {
      const literal = readLiteral(option, discriminator)
      return literal
        ? [...literal.values].map((value) => [String(value), readMeta(option).description ?? ''] as const)
        : []
    })
    const { id = '' } = readMeta(schema)
    values = z
      .enum(described.map(([value]) => value))
      .register(typeNames, {
        name: id + capitalized(discriminator),
        description: `The types of \`${id}\`.`,
        values: Object.fromEntries(described),
      })
      .describe('Type.')
    discriminators.set(schema, values)
  }
  return values
}

/** The literal by which an option of a union is recognized. */
export function readLiteral(option: z.ZodType, discriminator: string): z.ZodLiteral | undefined {
  return readFields(option).find(([name]) => name === discriminator)?.[1] as z.ZodLiteral | undefined
}

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/**
 * The fields of a union with a discriminator as an input: the fields of all options, all of them optional but the
 * discriminator.
 */
export function mergedFields(schema: z.ZodType): readonly (readonly [name: string, schema: z.ZodType])[] {
  const { options, discriminator = '' } = readUnion(schema)
  const merged = new Map<string, z.ZodType>([[discriminator, readDiscriminator(schema)]])
  for (const option of options) {
    for (const [name, field] of readFields(option)) if (!merged.has(name)) merged.set(name, field.optional())
  }
  return [...merged]
}

/** The option of a union with a discriminator that a value is of. */
export function findOption(schema: z.ZodType, value: unknown): z.ZodType | undefined {
  const { options, discriminator = '' } = readUnion(schema)
  const kind = (value as Readonly<Record<string, unknown>>)[discriminator]
  return options.find((option) => readLiteral(option, discriminator)?.values.has(kind as string))
}

/** A field that takes text or a list, as two fields. Undefined for any other field. */
export function textOrList(name: string, field: z.ZodType): TextOrList | undefined {
  const { schema, description = '' } = readShape(field)
  if (schema.def.type !== 'union' || readUnion(schema).discriminator !== undefined) return undefined
  const text = readUnion(schema).options.find(({ type }) => type === 'string')
  const list = readUnion(schema).options.find(({ type }) => type === 'array')
  if (!text || !list) throw new TypeError(`GraphQL cannot have the union at ${name}.`)
  return {
    text: text.describe(`${description} This field takes text.`).optional(),
    list: list.describe(`${description} This field takes parts.`).optional(),
    listName: `${name}Parts`,
  }
}

export interface TextOrList {
  readonly text: z.ZodType
  readonly list: z.ZodType
  /** The name of the second field. */
  readonly listName: string
}

const listFields = new WeakMap<z.ZodType, ReadonlySet<string>>()

/** A field's path in core as GraphQL spells it: `messages[0].content[1]` is `messages[0].contentParts[1]`. */
export function spellUnions(input: z.ZodType, path: string): string {
  let names = listFields.get(input)
  if (!names) listFields.set(input, (names = new Set(namesOfTextOrList(input))))
  return path.replaceAll(/(\w+)\[/g, (part, name: string) => (names.has(name) ? `${name}Parts[` : part))
}

function namesOfTextOrList(schema: z.ZodType): readonly string[] {
  const { schema: inner } = readShape(schema)
  if (inner.def.type === 'array') return namesOfTextOrList((inner as z.ZodArray<z.ZodType>).element)
  if (inner.def.type === 'union') return readUnion(inner).options.flatMap(namesOfTextOrList)
  if (inner.def.type !== 'object') return []
  return readFields(inner).flatMap(([name, field]) => [
    ...(textOrList(name, field) ? [name] : []),
    ...namesOfTextOrList(field),
  ])
}
