import { isObject, type JsonSchema, ProviderError } from '@fairlead/core/provider'
import type { GbnfJsonSchema } from 'node-llama-cpp'

/** A grammar of so many takes under 50 ms. */
const maxParts = 1_000
/** Of the names of properties and the values of enums. */
const charactersPerPart = 100
const maxDepth = 32
/** llama.cpp rejects grammars that repeat a rule more often. */
const maxRepeats = 1_000

const any = {
  oneOf: [
    { type: ['string', 'number', 'boolean', 'null'] },
    { type: 'object', additionalProperties: true },
    { type: 'array' },
  ],
}

const formats: ReadonlySet<unknown> = new Set(['date-time', 'time', 'date'])

/** Annotations, and keywords that are read together with others. */
const understood = new Set(
  '$schema $id $comment $defs definitions title description default examples deprecated readOnly writeOnly strict type properties required additionalProperties minProperties maxProperties items prefixItems minItems maxItems minLength maxLength format enum const anyOf oneOf $ref'.split(
    ' ',
  ),
)

/**
 * The part of a JSON schema that node-llama-cpp makes a grammar of. It writes every property, in the order of the schema;
 * optional ones that refer to a schema are left out, because they may never end. `ignored` has the keywords that the
 * grammar does not enforce.
 */
export function toGrammarSchema(root: JsonSchema) {
  const ignored = new Set<string>()
  const { $defs, definitions: earlierDefs, ...bare } = root
  const definitions = new Map<string, unknown>([
    ...listEntries(earlierDefs).map(([name, schema]) => [`#/definitions/${name}`, schema] as const),
    ...listEntries($defs).map(([name, schema]) => [`#/$defs/${name}`, schema] as const),
    ['#', bare],
  ])
  const names = new Map([...definitions.keys()].map((target, index) => [target, `d${index}`]))
  const used = new Set<string>()
  let parts = 0

  function count(added: number): void {
    parts += added
    if (parts > maxParts) throw tooLarge()
  }

  function convert(raw: unknown, depth: number): object {
    count(1)
    if (depth > maxDepth || !isObject(raw)) {
      if (raw !== true && raw !== undefined) ignored.add(raw === false ? 'false' : 'depth')
      return any
    }
    for (const keyword of Object.keys(raw)) if (!understood.has(keyword)) ignored.add(keyword)
    if (raw['$ref'] !== undefined) return reference(raw['$ref'])
    const options = raw['oneOf'] ?? raw['anyOf']
    if (Array.isArray(options) && options.length > 0) {
      return { oneOf: options.map((option) => convert(withOption(raw, option), depth + 1)) }
    }
    const values = 'const' in raw ? [raw['const']] : raw['enum']
    if (Array.isArray(values) && values.length > 0) return literals(values)
    const type = readType(raw)
    if (Array.isArray(type)) return { oneOf: type.map((each) => convert({ ...raw, type: each }, depth + 1)) }
    return ofType(type, raw, depth)
  }

  function reference(target: unknown): object {
    const name = typeof target === 'string' ? names.get(target) : undefined
    if (name === undefined) {
      ignored.add('$ref')
      return any
    }
    used.add(target as string)
    return { $ref: `#/$defs/${name}` }
  }

  function literals(values: readonly unknown[]): object {
    const scalars = values.filter((value) => typeof value !== 'object' || value === null)
    count(Math.ceil(JSON.stringify(scalars).length / charactersPerPart))
    if (scalars.length < values.length) ignored.add('enum')
    return scalars.length > 0 ? { enum: scalars } : any
  }

  function ofType(type: unknown, raw: JsonSchema, depth: number): object {
    switch (type) {
      case 'object':
        return toObject(raw, depth)
      case 'array':
        return {
          type,
          ...(raw['items'] !== undefined && raw['items'] !== false && { items: convert(raw['items'], depth + 1) }),
          ...(Array.isArray(raw['prefixItems']) && {
            prefixItems: raw['prefixItems'].map((item) => convert(item, depth + 1)),
          }),
          ...repeats(raw, 'minItems', 'maxItems'),
        }
      case 'string':
        if (formats.has(raw['format'])) return { type, format: raw['format'] }
        if (raw['format'] !== undefined) ignored.add('format')
        return { type, ...repeats(raw, 'minLength', 'maxLength') }
      case 'number':
      case 'integer':
      case 'boolean':
      case 'null':
        return { type }
      default:
        return any
    }
  }

  function toObject(raw: JsonSchema, depth: number): object {
    const required = new Set(Array.isArray(raw['required']) ? raw['required'] : [])
    const properties = listEntries(raw['properties']).filter(
      ([name, property]) => required.has(name) || !isObject(property) || property['$ref'] === undefined,
    )
    const undeclared = [...required].filter(
      (name): name is string => typeof name === 'string' && !properties.some(([each]) => each === name),
    )
    const additional = raw['additionalProperties']
    count(Math.floor([...properties.map(([name]) => name), ...undeclared].join('').length / charactersPerPart))
    const isFree = properties.length === 0 && additional !== false
    return {
      type: 'object',
      properties: Object.fromEntries([
        ...properties.map(([name, property]) => [name, convert(property, depth + 1)]),
        ...undeclared.map((name) => [name, convert(additional === false ? true : additional, depth + 1)]),
      ]),
      ...(isFree && {
        additionalProperties: isObject(additional) ? convert(additional, depth + 1) : true,
        ...repeats(raw, 'minProperties', 'maxProperties'),
      }),
    }
  }

  function repeats(raw: JsonSchema, ...keywords: readonly [string, string]): object {
    const limits = keywords.flatMap((keyword) => {
      const limit = raw[keyword]
      if (typeof limit !== 'number') return []
      if (Number.isInteger(limit) && limit >= 0 && limit <= maxRepeats) return [[keyword, limit] as const]
      ignored.add(keyword)
      return []
    })
    const [lower, upper] = limits.map(([, limit]) => limit)
    if (lower === undefined || upper === undefined || lower <= upper) return Object.fromEntries(limits)
    ignored.add(keywords[1])
    return { [keywords[0]]: lower }
  }

  const schema = convert(bare, 0)
  const converted = new Map<string, object>()
  // A definition may use others.
  for (const target of used) if (!converted.has(target)) converted.set(target, convert(definitions.get(target), 1))
  const defs = Object.fromEntries([...converted].map(([target, own]) => [names.get(target)!, own]))
  const whole = converted.size > 0 ? { ...schema, $defs: defs } : schema
  return { schema: whole as GbnfJsonSchema, ignored: [...ignored] }
}

/** A schema with one of its `oneOf` or `anyOf`. */
function withOption(schema: JsonSchema, option: unknown): JsonSchema {
  const { oneOf: _oneOf, anyOf: _anyOf, ...own } = schema
  const added: JsonSchema = isObject(option) ? option : {}
  const properties = [...listEntries(own['properties']), ...listEntries(added['properties'])]
  const required = [own['required'], added['required']].flatMap((names) => (Array.isArray(names) ? names : []))
  return {
    ...own,
    ...added,
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    ...(required.length > 0 && { required }),
  }
}

function readType(schema: JsonSchema): unknown {
  if (schema['type'] !== undefined) return schema['type']
  if (schema['properties'] !== undefined || schema['required'] !== undefined) return 'object'
  return schema['items'] !== undefined || schema['prefixItems'] !== undefined ? 'array' : undefined
}

function tooLarge(): ProviderError {
  const detail = `must have at most ${maxParts.toLocaleString('en')} parts for this model`
  return new ProviderError('invalid_request', detail, { field: 'responseFormat.schema', detail })
}

function listEntries(value: unknown): readonly (readonly [string, unknown])[] {
  return isObject(value) ? Object.entries(value) : []
}
