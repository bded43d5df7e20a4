import type { EventType } from '@fairlead/core'
import { exampleEvent } from '@fairlead/core/adapter'
import { object, text } from './envelope-schemas.ts'
import type { OperationObject, ParameterObject, SchemaObject } from './openapi-object.ts'
import type { SchemaCollection } from './schema-collection.ts'

/** Describes the request that webhooks receive for an event type. */
export function webhookObject(event: EventType, schemas: SchemaCollection): OperationObject {
  const { type, summary, version, truncates, onDemand } = event
  const timestamp: SchemaObject = { type: 'string', format: 'date-time', description: 'When the event occurred.' }
  const whole = schemas.describe(event.data, 'output')
  const data = truncates
    ? {
        description: 'The record after the change, or a reference to it if its JSON exceeds 20,000 bytes.',
        anyOf: [whole, schemas.add('TruncatedRecord', truncatedRecord)],
      }
    : whole
  const schema = object({ type: { type: 'string', enum: [type], description: 'Event type.' }, timestamp, data })
  return {
    operationId: `on.${type}`,
    tags: [],
    summary,
    description: `Version ${version} of the data.${onDemand ? stored : ''}`,
    security: [],
    parameters,
    requestBody: { required: true, content: { 'application/json': { schema, example: exampleEvent(event) } } },
    responses: {
      '2XX': { description: 'The event was received.' },
      410: { description: 'The webhook is disabled, and receives no more events.' },
      default: { description: 'The event is delivered again later, with the same `webhook-id`.' },
    },
  }
}

const stored = ' Stored only while a webhook or an event stream subscribes to it.'

const parameters: readonly ParameterObject[] = [
  header('webhook-id', 'Id of the event, the same for every attempt.', 'evt_2144006262569685970448465458676461248'),
  header('webhook-timestamp', 'When this attempt was sent, in Unix seconds.', '1773480413'),
  header(
    'webhook-signature',
    'Signatures by Standard Webhooks: `v1,` and base64, separated by spaces. Two while a secret rotates.',
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  ),
]

function header(name: string, description: string, example: string): ParameterObject {
  return { name, in: 'header', description, required: true, schema: { type: 'string' }, example }
}

const truncatedRecord: SchemaObject = {
  description: 'The data of an event whose JSON exceeds 20,000 bytes. Fetch the record by its id.',
  ...object({
    id: text('Id of the record.'),
    version: { type: 'integer', format: 'int64', description: 'Version of the record.' },
    truncated: { type: 'boolean', enum: [true], description: 'Always true.' },
  }),
}
