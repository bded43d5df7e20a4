import SchemaBuilder from '@pothos/core'
import ComplexityPlugin from '@pothos/plugin-complexity'
import DataloaderPlugin from '@pothos/plugin-dataloader'
import RelayPlugin from '@pothos/plugin-relay'
import type { GraphqlContext } from '../context.ts'

/** The TypeScript types of scalars. A type alias, because an interface has no index signature. */
type Scalars = {
  DateTime: { Input: string; Output: string }
  SafeInt: { Input: number; Output: number }
  JSONObject: { Input: unknown; Output: Readonly<Record<string, unknown>> }
  Vector: { Input: never; Output: readonly number[] }
  StringMap: { Input: unknown; Output: Readonly<Record<string, string>> }
  ID: { Input: string; Output: string }
}

interface SchemaTypes {
  Context: GraphqlContext
  Scalars: Scalars
  DefaultEdgesNullability: false
  DefaultNodeNullability: false
}

export type Builder = PothosSchemaTypes.SchemaBuilder<PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>>

/** The assumed length of a list without a limit, for the cost of an operation. */
const defaultListMultiplier = 10

/** A builder with the root types, scalars and plugins, and without fields. */
export function createBuilder(): Builder {
  const builder = new SchemaBuilder<SchemaTypes>({
    plugins: [RelayPlugin, DataloaderPlugin, ComplexityPlugin],
    relay: {
      nodeQueryOptions: false,
      nodesQueryOptions: false,
      nodeTypeOptions: { description: 'A record that `node` finds by its id.' },
      nodesOnConnection: { description: 'The records, without their cursors.' },
      pageInfoTypeOptions: { description: 'Information about a page of a list.' },
      cursorFieldOptions: { description: 'Cursor of the record, for `after` and `before`.' },
      nodeFieldOptions: { description: 'The record.' },
      pageInfoFieldOptions: { description: 'Information about the page.' },
      hasNextPageFieldOptions: { description: 'Whether there are records after the page.' },
      hasPreviousPageFieldOptions: { description: 'Whether there are records before the page.' },
      startCursorFieldOptions: { description: 'The cursor of the first record, for `before`.' },
      endCursorFieldOptions: { description: 'The cursor of the last record, for `after`.' },
      idFieldOptions: { description: 'Id of the record, unique across all types.' },
    },
    // The engine measures the cost before execution.
    complexity: { defaultListMultiplier, disabled: true },
  })
  builder.queryType({ description: 'Reads data.' })
  builder.mutationType({ description: 'Changes records and calls models.' })
  builder.subscriptionType({ description: 'Streams results as server-sent events.' })
  builder.scalarType('DateTime', {
    description: 'A date and time of RFC 3339, such as `2026-03-14T09:26:53Z`.',
    specifiedByURL: 'https://scalars.graphql.org/andimarek/date-time.html',
    serialize: (value) => value,
    parseValue: parser('DateTime', (value) => typeof value === 'string'),
  })
  builder.scalarType('SafeInt', {
    description: 'An integer of up to 53 bits, which a JSON number represents exactly.',
    specifiedByURL: 'https://tc39.es/ecma262/#sec-number.issafeinteger',
    serialize: (value) => value,
    parseValue: parser('SafeInt', (value) => Number.isSafeInteger(value)),
  })
  builder.scalarType('JSONObject', {
    description: 'A JSON object with values of any type.',
    specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259#section-4',
    serialize: (value) => value,
    parseValue: parser('JSONObject', (value) => typeof value === 'object' && value !== null && !Array.isArray(value)),
  })
  builder.scalarType('Vector', {
    description: 'A JSON array of numbers. A scalar, because executing each number would take too long.',
    specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259#section-5',
    serialize: (value) => value,
  })
  builder.scalarType('StringMap', {
    description: 'A JSON object with string values: `{ "color": "red" }`.',
    specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259#section-4',
    serialize: (value) => value,
    parseValue: parser('StringMap', (value) => typeof value === 'object' && value !== null && !Array.isArray(value)),
  })
  return builder
}

/** The rule for the values of each scalar, for errors. */
export const scalarRules: Readonly<Record<string, string>> = {
  String: 'must be a string',
  ID: 'must be a string',
  Int: 'must be an integer',
  Float: 'must be a number',
  Boolean: 'must be a boolean',
  DateTime: 'must be a date and time such as 2026-03-14T09:26:53Z',
  SafeInt: 'must be an integer of up to 53 bits',
  JSONObject: 'must be an object',
  StringMap: 'must be an object with string values',
}

/** Checks the JSON type only. Core checks the rest, such as the format of a date. */
function parser<Value>(scalar: string, fits: (value: unknown) => boolean): (value: unknown) => Value {
  return (value) => {
    if (fits(value)) return value as Value
    throw new TypeError(scalarRules[scalar])
  }
}
