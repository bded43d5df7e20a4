import * as z from 'zod'
import type { EventType } from '../runtime/events/event-type.ts'
import { toSnakeCase } from '../runtime/schema/wire-names.ts'
import { addDefinitions, comment } from './print-methods.ts'
import { type PrintedTypes, printTypes } from './print-types.ts'

/** The TypeScript types of events as webhooks receive them, with snake_case names. */
export function printEvents(events: readonly EventType[]): string {
  const types: PrintedTypes = new Map()
  const members = events.map((event) => {
    const data = addData(types, event)
    return `${comment(event.summary)}| EventOf<'${event.type}', ${data}>`
  })
  return [
    '// Generated from the event types: npm run generate',
    '',
    '/** An event of Fairlead itself. Its `type` narrows the type of its `data`. */',
    `export type WebhookEvent =\n${members.join('\n')}`,
    '',
    frame,
    '',
    [...printTypes(types).values()].join('\n\n'),
    '',
  ].join('\n')
}

const frame = `interface EventOf<Type extends string, Data> {
  readonly type: Type
  /** When the event occurred, in ISO 8601. */
  readonly timestamp: string
  readonly data: Data
}

/** The data of an event that would exceed 20 kB. Request the record by its id. */
export interface TruncatedData {
  id: string
  version?: number | undefined
  truncated: true
}`

/** Adds the types of an event's data. Returns the name of the type. */
function addData(types: PrintedTypes, { type, data, truncates }: EventType): string {
  const { id } = data.meta() ?? {}
  if (id === undefined) throw new Error(`The data of ${type} has no id in its metadata`)
  const holder = z.toJSONSchema(z.object({ data }), { unrepresentable: 'any' })
  addDefinitions(types, onWire(holder) as typeof holder, 'output')
  return truncates ? `${id} | TruncatedData` : id
}

/** The schema with the names of the wire. */
function onWire(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(onWire)
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    if (keyword === 'required') return [keyword, (value as readonly string[]).map(toSnakeCase)]
    if (keyword !== 'properties') return [keyword, onWire(value)]
    const fields = Object.entries(value as object).map(([name, field]) => [toSnakeCase(name), onWire(field)])
    return [keyword, Object.fromEntries(fields)]
  })
  return Object.fromEntries(entries)
}
