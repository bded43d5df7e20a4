import { type GraphQLInputType, isEnumType, isInputObjectType, isListType, isNonNullType } from 'graphql'

/** The input of an operation, with the details that a generator of inputs needs. */
export type Shape =
  | { readonly kind: 'text'; readonly max?: number }
  | { readonly kind: 'fixed'; readonly value: unknown }
  | { readonly kind: 'list'; readonly entry: Shape }
  | { readonly kind: 'object'; readonly fields: Readonly<Record<string, Field>> }

interface Field {
  readonly shape: Shape
  readonly isRequired: boolean
}

/** The keywords of JSON Schema that are used. */
interface JsonSchema {
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, JsonSchema>>
  readonly anyOf?: readonly JsonSchema[]
  readonly enum?: readonly unknown[]
  readonly type?: string
  readonly minimum?: number
  readonly maxLength?: number
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: JsonSchema | boolean
}

/** The shape of a JSON schema, with wire names. */
export function shapeOfSchema(given: object, root: JsonSchema = given): Shape {
  const schema: JsonSchema = given
  const named = schema.$ref && root.$defs?.[schema.$ref.split('/').at(-1) ?? '']
  if (named) return shapeOfSchema(named, root)
  const option = schema.anyOf?.find(({ type }) => type !== 'null')
  if (option) return shapeOfSchema(option, root)
  if (schema.enum) return { kind: 'fixed', value: schema.enum[0] }
  switch (schema.type) {
    case 'string':
      return { kind: 'text', ...(schema.maxLength !== undefined && { max: schema.maxLength }) }
    case 'array':
      return { kind: 'list', entry: shapeOfSchema(schema.items ?? {}, root) }
    case 'object':
      return { kind: 'object', fields: readFields(schema, root) }
    case 'boolean':
      return { kind: 'fixed', value: false }
    default:
      return { kind: 'fixed', value: schema.minimum ?? 1 }
  }
}

function readFields({ properties = {}, required = [], additionalProperties }: JsonSchema, root: JsonSchema) {
  const fields: Record<string, Field> = {}
  for (const [name, schema] of Object.entries(properties)) {
    fields[snakeCase(name)] = { shape: shapeOfSchema(schema, root), isRequired: required.includes(name) }
  }
  if (typeof additionalProperties === 'object' && additionalProperties.type !== undefined) {
    fields['x'] = { shape: shapeOfSchema(additionalProperties, root), isRequired: false }
  }
  return fields
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** The shape of a GraphQL argument type. */
export function shapeOfType(type: GraphQLInputType): Shape {
  if (isNonNullType(type)) return shapeOfType(type.ofType)
  if (isListType(type)) return { kind: 'list', entry: shapeOfType(type.ofType) }
  if (isEnumType(type)) return { kind: 'fixed', value: type.getValues()[0]?.name }
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).map(
      (field) => [field.name, { shape: shapeOfType(field.type), isRequired: isNonNullType(field.type) }] as const,
    )
    return { kind: 'object', fields: Object.fromEntries(fields) }
  }
  if (type.name === 'StringMap')
    return { kind: 'object', fields: { x: { shape: { kind: 'text' }, isRequired: false } } }
  if (type.name === 'Boolean') return { kind: 'fixed', value: false }
  return type.name === 'String' || type.name === 'ID' || type.name === 'DateTime'
    ? { kind: 'text' }
    : { kind: 'fixed', value: 1 }
}

/** The paths of texts in an input. */
export interface TextField {
  readonly path: readonly (string | number)[]
  readonly max: number | undefined
}

export function textFields(shape: Shape, path: TextField['path'] = []): readonly TextField[] {
  switch (shape.kind) {
    case 'text':
      return [{ path, max: shape.max }]
    case 'list':
      return textFields(shape.entry, [...path, 0])
    case 'object':
      return Object.entries(shape.fields).flatMap(([name, field]) => textFields(field.shape, [...path, name]))
    case 'fixed':
      return []
  }
}

/**
 * An input with its required fields, and a value at one path.
 *
 * @param usual valid texts by field name
 */
export function inputWith(
  shape: Shape,
  usual: Readonly<Record<string, unknown>>,
  at: TextField['path'] | undefined,
  value: unknown,
  name = '',
): unknown {
  if (at?.length === 0) return value
  const [step, ...rest] = at ?? []
  switch (shape.kind) {
    case 'text':
      return usual[name] ?? 'x'
    case 'fixed':
      return usual[name] ?? shape.value
    case 'list':
      return usual[name] ?? [inputWith(shape.entry, usual, step === 0 ? rest : undefined, value, name)]
    case 'object': {
      const fields = Object.entries(shape.fields).filter(
        ([field, { isRequired }]) => isRequired || field === step || field in usual,
      )
      return Object.fromEntries(
        fields.map(([field, { shape: inner }]) => [
          field,
          inputWith(inner, usual, field === step ? rest : undefined, value, field),
        ]),
      )
    }
  }
}
