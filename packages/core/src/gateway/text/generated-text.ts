import { FairleadError, invalidRequest, type Issue } from '../../runtime/errors.ts'
import { clip, maxMessageLength } from '../../runtime/schema/names.ts'
import type { ResponseFormatInput, AnswerPart, ContentPartInput, Generation } from '../methods.ts'
import { type JsonSchema, isWrittenInput } from '../messages/message.ts'
import { isObject } from '../../runtime/json.ts'
import { jsonIn } from './prompted-json.ts'
import { type InferOutput, type StandardSchema, toIssues, toJsonSchema } from './standard-schema.ts'

type ToolCallPart = Extract<AnswerPart, { readonly type: 'tool_call' }>

/** A call of a tool, as its handler takes it. */
export interface ToolCall extends Pick<ToolCallPart, 'id' | 'name' | 'input'> {
  /** The text that the model wrote in place of a JSON object. `input` is then empty. */
  readonly inputText?: string | undefined
}

/** An answer as a message of a conversation. */
export interface AssistantMessage {
  readonly role: 'assistant'
  readonly content: readonly AnswerPart[]
}

/** A generation in a program that embeds Fairlead, with shortcuts to its parts. */
export interface GeneratedText extends Generation {
  /** The calls of tools. */
  readonly toolCalls: readonly ToolCall[]
  /** The reasoning of the model. Empty if the provider does not show it. */
  readonly reasoning: string
  /** The answer as a message, to append to `messages`. */
  readonly message: AssistantMessage
}

class Views {
  declare readonly parts: readonly AnswerPart[]

  get toolCalls(): readonly ToolCall[] {
    return toolCallsIn(this.parts)
  }

  get reasoning(): string {
    return this.parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join('')
  }

  get message(): AssistantMessage {
    return { role: 'assistant', content: this.parts }
  }
}

export function withViews<Fields extends Generation>(fields: Fields): Fields & GeneratedText {
  return Object.assign(new Views(), fields)
}

export function toolCallsIn(parts: readonly (AnswerPart | ContentPartInput)[]): readonly ToolCall[] {
  return parts.flatMap((part) => (part.type === 'tool_call' ? [toToolCall(part)] : []))
}

function toToolCall(part: Readonly<ToolCallPart>): ToolCall {
  const { id, name, input, inputText } = part
  return { id, name, input, ...(!isWrittenInput(part) && { inputText }) }
}

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
