import * as z from 'zod'
import { isObject } from '../json.ts'
import { findForm, maxEntries, unwrapped } from './validate.ts'

/**
 * The names of one schema on the wire: snake_case there, camelCase in core. Free-form records are not changed.
 *
 * A name that the schema doesn't have is marked on its way in, so that `maxTokens` is not mistaken for `max_tokens`;
 * `spell` takes the mark off again.
 */
export interface WireNames {
  /** Input from the wire, as core spells it. */
  read(value: unknown): unknown
  /** Input from a query string: as `read`, with numbers and booleans read from their text. */
  readText(value: unknown): unknown
  write(value: unknown): unknown
  /** A field's path for the wire: `origin.postalCode` is `origin.postal_code`. */
  spell(field: string): string
}

const foreign = '~'
/** As many unknown names are kept, so that the error can name some of them; one suffices to reject the input. */
const maxForeignNames = 100

/** A surface asks for the names of every operation, and many share their parts. */
const created = new WeakMap<z.ZodType, WireNames>()

export function wireNames(schema: z.ZodType): WireNames {
  let names = created.get(schema)
  if (!names) created.set(schema, (names = createNames(schema)))
  return names
}

function createNames(schema: z.ZodType): WireNames {
  const inner = unwrapped(schema) ?? schema
  if (inner instanceof z.ZodUnion) return unionNames(inner)
  if (inner instanceof z.ZodObject) return objectNames(inner)
  if (inner instanceof z.ZodArray) return arrayNames(inner)
  return { read: asIs, readText: textReader(inner), write: asIs, spell: asIs }
}

/** `maxTokens` on the wire. */
export function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function objectNames(schema: z.ZodObject): WireNames {
  const members = Object.entries(schema.shape).map(([core, member]) => ({
    core,
    wire: toSnakeCase(core),
    names: wireNames(member as z.ZodType),
  }))
  const byWire = new Map(members.map((member) => [member.wire, member]))
  const byCore = new Map(members.map((member) => [member.core, member]))

  const reader = (how: 'read' | 'readText') => (value: unknown) => {
    if (!isObject(value)) return value
    // No name in it is `__proto__`: a foreign one is marked.
    const result: Record<string, unknown> = {}
    let foreignNames = 0
    for (const name of Object.keys(value)) {
      const known = byWire.get(name)
      if (known) result[known.core] = known.names[how](value[name])
      else if (++foreignNames <= maxForeignNames) result[foreign + name] = value[name]
    }
    return result
  }

  return {
    read: reader('read'),
    readText: reader('readText'),
    write(value) {
      if (!isObject(value)) return value
      const result: Record<string, unknown> = {}
      for (let at = 0; at < members.length; at++) {
        const { core, wire, names } = members[at]!
        if (value[core] !== undefined) result[wire] = names.write(value[core])
      }
      return result
    },
    spell(field) {
      const [head = '', tail] = split(field)
      if (head.startsWith(foreign)) return field.slice(foreign.length)
      const member = byCore.get(head)
      return member ? member.wire + spellRest(member.names, tail) : field
    },
  }
}

function arrayNames(schema: z.ZodArray): WireNames {
  const element = wireNames(schema.element as z.ZodType)
  const maximum = maxEntries(schema)
  // One entry beyond the maximum keeps the array too long; reading tens of thousands would block the event loop.
  const read = (value: unknown) => (Array.isArray(value) ? value.slice(0, maximum + 1).map(element.read) : value)
  return {
    read,
    readText: read,
    // Copying lists of numbers would only take time.
    write: element.write === asIs ? asIs : (value) => (Array.isArray(value) ? value.map(element.write) : value),
    spell(field) {
      const index = /^\[\d+\]/.exec(field)?.[0]
      return index === undefined ? field : index + spellRest(element, field.slice(index.length))
    },
  }
}

/** The names of the option that a value matches. Discriminators are spelled alike in core and on the wire. */
function unionNames(schema: z.ZodUnion): WireNames {
  const options = (schema.options as readonly z.ZodType[]).map((option) => [option, wireNames(option)] as const)
  const byOption = new Map(options)
  const findNames = (value: unknown) => byOption.get(findForm(schema, value) as z.ZodType)
  const read = (value: unknown) => findNames(value)?.read(value) ?? value
  return {
    read,
    readText: read,
    write: (value) => findNames(value)?.write(value) ?? value,
    // Options that have a name spell it alike; the others leave it as it is.
    spell: (field) => options.map(([, names]) => names.spell(field)).find((name) => name !== field) ?? field,
  }
}

/** The rest of a path after a name: `.postalCode`, `[0].weightKg`, or nothing. */
function spellRest(names: WireNames, rest: string): string {
  return rest.startsWith('.') ? `.${names.spell(rest.slice(1))}` : names.spell(rest)
}

/** The first name of a path and what follows it, with its dot or bracket. */
function split(field: string): [head: string, tail: string] {
  const end = field.search(/[.[]/)
  return end < 0 ? [field, ''] : [field.slice(0, end), field.slice(end)]
}

function textReader(schema: z.ZodType): (value: unknown) => unknown {
  if (schema.type === 'number') return (value) => (isNumeric(value) ? Number(value) : value)
  if (schema.type === 'boolean') return (value) => ({ true: true, false: false })[String(value)] ?? value
  return asIs
}

/** Numbers have one form: `0x10`, `1e1`, `05` and ` 5` are not numbers. */
function isNumeric(value: unknown): boolean {
  return typeof value === 'string' && Number.isFinite(Number(value)) && String(Number(value)) === value
}

function asIs<Value>(value: Value): Value {
  return value
}
