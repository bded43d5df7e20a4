import { FairleadError, invalidRequest, type Issue } from '../../runtime/errors.ts'
import { clip, maxMessageLength } from '../../runtime/schema/names.ts'
import type { ResponseFormatInput } from '../methods.ts'
import { type JsonSchema } from '../messages/message.ts'
import { isObject } from '../../runtime/json.ts'
import type { GeneratedText } from './generated-text.ts'
import { jsonIn } from './prompted-json.ts'
import { type InferOutput, type StandardSchema, toIssues, toJsonSchema } from './standard-schema.ts'

/** A generated text that is the JSON of an object. */
export interface GeneratedObject<Data> extends GeneratedText {
  /** The value that `output` made of the JSON in `content`. */
  readonly object: Data
}

/** The result of a generation with this `output`. */
export type Generated<Output extends StandardSchema | undefined> = Output extends StandardSchema
  ? GeneratedObject<InferOutput<Output>>
  : GeneratedText

/**
 * The format of an answer that follows a schema. Throws `INVALID_REQUEST` if the schema does not describe an object.
 */
export function objectFormat(output: StandardSchema): ResponseFormatInput {
  const schema = toJsonSchema(output, 'output')
  const { type = 'object' } = schema
  if (type !== 'object') {
    const issue = `must be the schema of an object, which many models require; put the ${String(type)} in a field of one`
    throw invalidRequest({ field: 'output', issue })
  }
  return { type: 'json_schema', schema: closed(schema) }
}

/**
 * The schema with objects that allow no further properties, unless it says so: OpenAI's models otherwise need not follow
 * it. Objects that `allOf` combines have the properties of each other.
 */
function closed(schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema)
  return text.includes('"allOf":')
    ? schema
    : (JSON.parse(text, (_key, value: unknown) => closedObject(value)) as JsonSchema)
}

function closedObject(value: unknown): unknown {
  const isOpen = isObject(value) && value['type'] === 'object' && isObject(value['properties'])
  return isOpen ? { additionalProperties: false, ...value } : value
}

/**
 * The object in an answer. Rejects with `CONTENT_REFUSED` if the model refused, and with `PROVIDER_ERROR` if the answer is
 * incomplete or does not match the schema. The `cause` of the error is the answer.
 */
export async function readObject(answer: GeneratedText, output: StandardSchema): Promise<unknown> {
  const { finishReason, content, refusal } = answer
  if (finishReason === 'content_filter') {
    throw failure('CONTENT_REFUSED', refusal ? `The model refused: ${refusal}` : 'The answer was filtered.', answer)
  }
  if (finishReason !== 'stop') throw failure('PROVIDER_ERROR', incomplete[finishReason], answer)
  const json = jsonIn(content)
  if (json === undefined) throw failure('PROVIDER_ERROR', 'The model did not return valid JSON.', answer)
  const result = await output['~standard'].validate(JSON.parse(json))
  if (!result.issues) return result.value
  const issues = toIssues(result.issues)
  throw failure('PROVIDER_ERROR', `The object does not match "output": ${describe(issues)}`, answer, issues)
}

const incomplete = {
  length: 'The answer reached the maximum number of tokens before the object was complete. Set a higher "maxTokens".',
  tool_calls: 'The model called a tool instead of returning the object.',
  pause: 'The provider paused the turn before the object was complete.',
}

/** One issue after the other, each with its field. */
export function describe(issues: readonly Issue[]): string {
  return issues.map(({ field, issue }) => (field === null ? issue : `${field}: ${issue}`)).join('; ')
}

function failure(
  code: 'CONTENT_REFUSED' | 'PROVIDER_ERROR',
  message: string,
  answer: GeneratedText,
  found: readonly Issue[] = [],
): FairleadError {
  const issues = found.map(({ field, issue }) => ({ field: field === null ? 'object' : `object.${field}`, issue }))
  const facts = { finishReason: answer.finishReason }
  return new FairleadError(code, clip(message, maxMessageLength), { issues, facts, cause: answer })
}
