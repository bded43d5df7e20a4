import type { JsonSchema } from '@fairlead/core/provider'

export interface ExampleValue {
  readonly value: unknown
  /** The keywords of the schema that the value may not satisfy. */
  readonly unmet: readonly string[]
}

/** Optional properties and items are left out below this depth, so that recursive schemas end. */
const maxOptionalDepth = 4
const maxDepth = 24
/** A schema could ask for a million items. Properties and items are counted as often as they are read. */
const maxWork = 20_000
const maxRefLength = 1_000
const maxLength = 10_000

/** Finds a value for a named property, or undefined. A value that its schema does not allow is not used. */
export type FindValue = (name: string, schema: JsonSchema) => unknown

/**
 * A value that satisfies a JSON schema: always the same for the same schema.
 *
 * @param find looks for values of properties. Default: all values are examples
 */
export function exampleValue(schema: JsonSchema, find?: FindValue): ExampleValue {
  const unmet = new Set<string>()
  let work = 0

  function canSpend(amountOfWork: number): boolean {
    work += amountOfWork
    if (work > maxWork) unmet.add('size')
    return work <= maxWork
  }

  function exampleAt(raw: unknown, depth: number, index: number): unknown {
    if (depth > maxDepth) unmet.add('size')
    if (depth > maxDepth || !canSpend(1)) return null
    const own = whole(raw, depth)
    const values = 'const' in own ? [own['const']] : toList(own['enum'])
    if (values.length > 0) return copied(values[index % values.length], depth)
    for (const keyword of unsupported) if (own[keyword] !== undefined) unmet.add(keyword)
    switch (typeIn(own)) {
      case 'object':
        return exampleObject(own, depth)
      case 'array':
        return exampleArray(own, depth)
      case 'number':
      case 'integer':
        return exampleNumber(own, index)
      case 'boolean':
        return index % 2 === 0
      case 'null':
        return null
      default:
        return exampleString(own, index)
    }
  }

  function foundFor(name: string, property: unknown, depth: number): unknown {
    if (!find || depth > maxDepth || !canSpend(1)) return undefined
    const own = whole(property, depth)
    const value = find(name, own)
    return allows(own, value) ? value : undefined
  }

  function copied(value: unknown, depth: number): unknown {
    if (depth > maxDepth) unmet.add('size')
    if (depth > maxDepth || !canSpend(typeof value === 'string' ? spentOn(value) : 1)) return null
    if (Array.isArray(value)) return value.map((item) => copied(item, depth + 1))
    if (!isObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, copied(item, depth + 1)]))
  }

  /** The schema with the schemas that it refers to or consists of. */
  function whole(raw: unknown, depth: number): JsonSchema {
    let own = asSchema(raw)
    for (let steps = 0; steps < maxDepth; steps++) {
      const { $ref: ref, allOf, anyOf, oneOf, ...rest } = own
      const options = toList(anyOf ?? oneOf)
      if (ref !== undefined) own = mergedWithin(rest, referred(ref))
      else if (allOf !== undefined) own = toList(allOf).reduce<JsonSchema>(mergedWithin, rest)
      else if (options.length > 0) own = mergedWithin(rest, optionFrom(options, depth))
      else return own
    }
    unmet.add('$ref')
    return {}
  }

  function mergedWithin(one: JsonSchema, other: unknown): JsonSchema {
    return canSpend(1) && canSpend(measureSchema(one) + measureSchema(asSchema(other))) ? merged(one, other) : one
  }

  function referred(ref: unknown): JsonSchema {
    const isOwn = typeof ref === 'string' && ref.length <= maxRefLength && /^#(?:\/|$)/.test(ref)
    let found: unknown = isOwn ? schema : undefined
    for (const step of isOwn ? ref.split('/').slice(1) : []) {
      const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
      found = isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined
    }
    if (found === undefined) unmet.add('$ref')
    return asSchema(found)
  }

  function exampleObject(own: JsonSchema, depth: number): unknown {
    if (!canSpend(measureSchema(own))) return {}
    const properties = asSchema(own['properties'])
    const required = new Set(toList(own['required']).filter((name) => typeof name === 'string'))
    const entries = Object.entries(properties)
      .filter(([name]) => required.has(name) || depth < maxOptionalDepth)
      .map(([name, property]) => [name, foundFor(name, property, depth) ?? exampleAt(property, depth + 1, 0)])
    const undeclared = [...required].filter((name) => !Object.hasOwn(properties, name))
    const others = undeclared.map((name) => [name, exampleAt(own['additionalProperties'], depth + 1, 0)])
    const wanted = Math.min(amount(own['minProperties'], 0) - entries.length - others.length, maxWork - work)
    for (let index = 0; index < wanted; index++) {
      others.push([`key${index + 1}`, exampleAt(own['additionalProperties'], depth + 1, index)])
    }
    return Object.fromEntries([...entries, ...others])
  }

  function exampleArray(own: JsonSchema, depth: number): unknown[] {
    const tuple = toList(own['prefixItems'])
    const usual = own['items'] === false ? 0 : depth < maxOptionalDepth ? 1 : 0
    const length = Math.max(tuple.length, amount(own['minItems'], Math.min(usual, amount(own['maxItems'], 1))))
    if (length > maxWork - work) unmet.add('size')
    return Array.from({ length: Math.max(0, Math.min(length, maxWork - work)) }, (_, index) =>
      exampleAt(tuple[index] ?? own['items'], depth + 1, index),
    )
  }

  function exampleString(own: JsonSchema, index: number): string {
    const format = typeof own['format'] === 'string' ? own['format'] : ''
    if (Object.hasOwn(formats, format)) return formats[format]!(index)
    if (own['pattern'] !== undefined) unmet.add('pattern')
    const text = index === 0 ? 'text' : `text ${index + 1}`
    const shortest = amount(own['minLength'], 0)
    if (shortest > maxLength) unmet.add('minLength')
    const padded = text.padEnd(Math.min(shortest, maxLength), '.')
    if (!canSpend(spentOn(padded))) return ''
    return padded.slice(0, Math.max(0, amount(own['maxLength'], padded.length)))
  }

  const value = exampleAt(schema, 0, 0)
  return { value, unmet: [...unmet] }
}

const unsupported = ['not', 'if', 'contains', 'propertyNames', 'dependentSchemas', 'dependentRequired']

const two = (index: number) => String((index % 28) + 1).padStart(2, '0')
const formats: Readonly<Record<string, (index: number) => string>> = {
  'date-time': (index) => `2026-01-${two(index)}T12:00:00Z`,
  date: (index) => `2026-01-${two(index)}`,
  time: (index) => `12:00:${two(index)}Z`,
  duration: (index) => `P${index + 1}D`,
  email: (index) => `person${index + 1}@example.com`,
  hostname: (index) => `host${index + 1}.example.com`,
  uri: (index) => `https://example.com/${index + 1}`,
  ipv4: (index) => `192.0.2.${(index % 254) + 1}`,
  ipv6: (index) => `2001:db8::${(index + 1).toString(16)}`,
  uuid: (index) => `00000000-0000-4000-8000-${String(index + 1).padStart(12, '0')}`,
}

function typeIn(schema: JsonSchema): unknown {
  const { type } = schema
  if (Array.isArray(type)) return type.find((each) => each !== 'null') ?? 'null'
  if (type !== undefined) return type
  if (schema['properties'] !== undefined || schema['required'] !== undefined) return 'object'
  if (schema['items'] !== undefined || schema['prefixItems'] !== undefined) return 'array'
  return schema['minimum'] !== undefined || schema['maximum'] !== undefined ? 'number' : 'string'
}

function exampleNumber(schema: JsonSchema, index: number): number {
  const step = amount(schema['multipleOf'], schema['type'] === 'integer' ? 1 : 0)
  const unit = step > 0 ? step : 1
  const above = bound(schema['exclusiveMinimum'])
  const below = bound(schema['exclusiveMaximum'])
  const least = Math.max(bound(schema['minimum']) ?? -Infinity, above ?? -Infinity)
  const most = Math.min(bound(schema['maximum']) ?? Infinity, below ?? Infinity)
  let start = least > 0 || (least === 0 && above === 0) ? least : Math.min(Math.max(0, least), most)
  if (step > 0) start = (start === most && start !== least ? Math.floor : Math.ceil)(start / step) * step
  if (start === above) start = step === 0 && most < start + 1 ? (start + most) / 2 : start + unit
  if (start === below) start = step === 0 && least > start - 1 ? (start + least) / 2 : start - unit
  const next = start + index * unit
  return next <= most && next !== below ? next : start
}

/** Whether a schema surely allows a text, a number, or a list of texts. */
function allows(schema: JsonSchema, value: unknown): boolean {
  if (['const', 'pattern', 'uniqueItems', ...unsupported].some((keyword) => schema[keyword] !== undefined)) return false
  const values = toList(schema['enum'])
  if (values.length > 0) return values.includes(value)
  const type = typeIn(schema)
  if (typeof value === 'string') {
    const isShort =
      value.length >= amount(schema['minLength'], 0) && value.length <= amount(schema['maxLength'], Infinity)
    return type === 'string' && isShort && hasFormat(value, schema['format'])
  }
  if (typeof value === 'number') return isNumberType(type, value) && isWithin(schema, value)
  if (!Array.isArray(value) || type !== 'array' || schema['prefixItems'] !== undefined) return false
  const isCount = value.length >= amount(schema['minItems'], 0) && value.length <= amount(schema['maxItems'], Infinity)
  return isCount && value.every((item) => allows(asSchema(schema['items']), item))
}

function isNumberType(type: unknown, value: number): boolean {
  return type === 'number' || (type === 'integer' && Number.isSafeInteger(value))
}

function isWithin(schema: JsonSchema, value: number): boolean {
  return (
    value >= amount(schema['minimum'], -Infinity) &&
    value <= amount(schema['maximum'], Infinity) &&
    value > amount(schema['exclusiveMinimum'], -Infinity) &&
    value < amount(schema['exclusiveMaximum'], Infinity) &&
    value % amount(schema['multipleOf'], value || 1) === 0
  )
}

const checkedFormats: Readonly<Record<string, RegExp>> = {
  email: /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/,
  date: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])$/,
  uri: /^https?:\/\/[\w.-]+(?:\/[\w./?=&%#-]*)?$/,
}

function hasFormat(text: string, format: unknown): boolean {
  return format === undefined || (typeof format === 'string' && (checkedFormats[format]?.test(text) ?? false))
}

function bound(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

function amount(value: unknown, otherwise: number): number {
  return bound(value) ?? otherwise
}

/** In the depth, one that does not refer to another schema, which may be the same again. */
function optionFrom(options: readonly unknown[], depth: number): JsonSchema {
  const plain = depth < maxOptionalDepth ? undefined : options.find((each) => !('$ref' in asSchema(each)))
  return asSchema(plain ?? options[0])
}

function merged(one: JsonSchema, other: unknown): JsonSchema {
  const added = asSchema(other)
  return {
    ...one,
    ...added,
    ...((one['properties'] ?? added['properties']) !== undefined && {
      properties: { ...asSchema(one['properties']), ...asSchema(added['properties']) },
    }),
    ...((one['required'] ?? added['required']) !== undefined && {
      required: [...toList(one['required']), ...toList(added['required'])],
    }),
  }
}

function spentOn(text: string): number {
  return Math.ceil(text.length / 16)
}

/** How much work it is to read the schema of an object. */
function measureSchema(schema: JsonSchema): number {
  return Object.keys(asSchema(schema['properties'])).length + toList(schema['required']).length
}

function asSchema(value: unknown): JsonSchema {
  return isObject(value) ? value : {}
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
