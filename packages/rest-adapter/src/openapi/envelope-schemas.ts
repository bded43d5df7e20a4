import type { ErrorCode, Operation } from '@fairlead/core'
import type { SchemaObject } from './openapi-object.ts'
import type { SchemaCollection } from './schema-collection.ts'

export const text = (description: string): SchemaObject => ({ type: 'string', description })
export const object = (properties: Record<string, SchemaObject>, required = Object.keys(properties)): SchemaObject => ({
  type: 'object',
  properties,
  required,
})

const issueField = { type: 'string', nullable: true, description: 'Field name.' } as const
const basicMeta = {
  request_id: text('The id of the request: `req_` and digits. Also in the header `X-Request-Id`.'),
  timestamp: { type: 'string', format: 'date-time', description: 'When the request arrived, in UTC.' },
} satisfies Record<string, SchemaObject>
const replayMeta = {
  original_request_id: text('Of a replay: the id of the request whose stored response this is.'),
} satisfies Record<string, SchemaObject>
const pageMeta = object({
  next_cursor: {
    type: 'string',
    nullable: true,
    description: 'Cursor of the next page. Null on the last page.',
  },
  has_more: { type: 'boolean', description: 'Whether there is a next page.' },
  limit: { type: 'integer', format: 'int64', description: 'Maximum number of records in a page.' },
})

const warning = object({ field: issueField, issue: text('The warning.') })
const changeMeta = {
  warnings: {
    type: 'array',
    items: warning,
    description: 'Consequences of a change, such as projects that stop because their owner was suspended.',
  },
} satisfies Record<string, SchemaObject>
const plainMeta = object({ ...basicMeta, ...replayMeta, ...changeMeta }, Object.keys(basicMeta))
const modelCallMeta = {
  provider: text('The provider that responded.'),
  cost_usd: { type: 'number', description: 'Cost of the call in US dollars, if known.' },
  cached: { type: 'boolean', description: 'Whether the response came from the cache.' },
  attempts: { type: 'integer', format: 'int64', description: 'Number of calls to providers.' },
  warnings: {
    type: 'array',
    items: warning,
    description: 'Warnings, such as settings that the model does not support.',
  },
} satisfies Record<string, SchemaObject>

/** The `meta` of a success. */
export function metaSchema(schemas: SchemaCollection, { kind, paged }: Operation, isList: boolean): SchemaObject {
  if (kind === 'action') {
    const all = { ...basicMeta, ...replayMeta, ...modelCallMeta }
    return schemas.add('ModelCallMeta', object(all, [...Object.keys(basicMeta), 'provider', 'cached', 'attempts']))
  }
  if (!isList) return schemas.add('Meta', plainMeta)
  const page = schemas.add('Page', pageMeta)
  const all = { ...basicMeta, page: { description: 'Page information.', allOf: [page] } }
  return paged ? schemas.add('PageMeta', object(all)) : schemas.add('ListMeta', object(all, Object.keys(basicMeta)))
}

/** The envelope of a success. In the quick-start form it also has the fields of its data. */
export function successSchema(data: SchemaObject, meta: SchemaObject, hoisted: SchemaObject | undefined): SchemaObject {
  const envelope = {
    success: { type: 'boolean', enum: [true], description: 'True.' },
    data: data.$ref === undefined ? { description: 'The result.', ...data } : data,
    meta,
  } satisfies Record<string, SchemaObject>
  return object({ ...envelope, ...hoisted?.properties }, [...Object.keys(envelope), ...(hoisted?.required ?? [])])
}

/** The envelope of an error with one of the codes. */
export function failureSchema(schemas: SchemaCollection, codes: readonly ErrorCode[]): SchemaObject {
  const issue = schemas.add('Issue', object({ field: issueField, issue: text('Problem with the field.') }))
  const details = schemas.add('ErrorDetails', {
    ...object(
      {
        field: { ...issueField, description: 'First invalid field, or null.' },
        issue: { type: 'string', nullable: true, description: 'Problem with the field.' },
        issues: { type: 'array', items: issue, description: 'All invalid fields.' },
        provider: text('The provider that failed.'),
        attempts: { type: 'integer', format: 'int64', description: 'Number of calls to providers.' },
        reason: text(
          '`model_not_found`, `context_length_exceeded`, `queue_full`, `queue_timeout`, `second_factor_required` or `passkey_required`, where that is the reason.',
        ),
        calls: {
          type: 'integer',
          format: 'int64',
          description:
            'With `queue_full`, the calls that can wait for the model; with `queue_timeout`, its concurrent calls.',
        },
        token: text('With `second_factor_required`, the token for the passkey.'),
      },
      ['field', 'issue', 'issues'],
    ),
    additionalProperties: true,
  })
  return object({
    success: { type: 'boolean', enum: [false], description: 'False.' },
    error: {
      description: 'The error.',
      ...object(
        {
          code: { type: 'string', enum: [...codes], description: 'The error code, for programs.' },
          message: text('The error message, for people.'),
          details,
          type: text('Under `/v1/models`, the type of the error, for clients of OpenAI.'),
          param: { ...issueField, description: 'Under `/v1/models`, the first invalid field, for clients of OpenAI.' },
        },
        ['code', 'message', 'details'],
      ),
    },
    meta: schemas.add('Meta', plainMeta),
  })
}
