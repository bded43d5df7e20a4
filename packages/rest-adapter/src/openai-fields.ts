import type { Failure } from '@fairlead/core'
import type { WireNames } from '@fairlead/core/adapter'
import { errorStatus, type Fields } from '@fairlead/http'
import { object } from './openapi/envelope-schemas.ts'
import type { SchemaObject } from './openapi/openapi-object.ts'
import type { SchemaCollection } from './openapi/schema-collection.ts'

/** The fields of OpenAI's models, which responses under `/v1/models` have besides Fairlead's. */
const recordFields = {
  object: { type: 'string', enum: ['model'], description: 'Always `model`, for clients of OpenAI.' },
  created: {
    type: 'integer',
    format: 'int64',
    description: 'When the process started, in Unix seconds, for clients of OpenAI. The dates of models are not known.',
  },
  owned_by: { type: 'string', description: 'The provider, for clients of OpenAI.' },
} satisfies Record<string, SchemaObject>

/** The fields of a list at the top level. */
export const openaiList = { object: 'list' } as const

/**
 * Writes models with the fields of both.
 *
 * @param created of all models, in Unix seconds
 */
export function withOpenaiFields(names: WireNames, created: number): WireNames {
  const add = (model: Fields) => ({ ...model, object: 'model', created, owned_by: model['provider'] })
  return {
    ...names,
    write(data) {
      const written = names.write(data)
      return Array.isArray(written) ? written.map(add) : add(written as Fields)
    },
  }
}

/** The fields of an error, besides its code and message, that clients of OpenAI read. */
export function openaiErrorFields({ error: { code, details } }: Failure) {
  return { type: toErrorType(code), param: details.field }
}

function toErrorType(code: Failure['error']['code']): string {
  if (code === 'QUOTA_EXCEEDED' || code === 'BUDGET_EXCEEDED') return 'insufficient_quota'
  if (code === 'RATE_LIMIT_EXCEEDED') return 'requests'
  return errorStatus[code] >= 500 ? 'server_error' : 'invalid_request_error'
}

/** Describes the data of such a response, and what it has at the top level. */
export function openaiSchemas(data: SchemaObject, schemas: SchemaCollection) {
  const record = schemas.resolve(data.items ?? data)
  const described = schemas.add('OpenaiModel', {
    ...record,
    properties: { ...record.properties, ...recordFields },
    required: [...(record.required ?? []), ...Object.keys(recordFields)],
  })
  if (!data.items) return { data: described, hoisted: schemas.resolve(described) }
  const list = {
    type: 'string',
    enum: [openaiList.object],
    description: 'Always `list`, for clients of OpenAI.',
  } as const
  return { data: { ...data, items: described }, hoisted: object({ object: list }) }
}
