import { isReservedOption, type NativeRequest, toSnakeCase } from '@fairlead/core'
import { commonInput } from './chat-request.ts'
import { type Fields, invalid, isPresent, listAt, objectAt, unknownFields, nativeFields } from './fields.ts'
import { readInput } from './responses-input.ts'
import { type ReadTools, readToolChoice, readTools } from './responses-tools.ts'

/** What a response needs of its request. */
export interface ResponseForm {
  /** As the client named it. */
  readonly model: unknown
  readonly toolNames: ReadTools['names']
  /** Settings that the response repeats. Long ones are left out: instructions, tools, and schemas. */
  readonly settings: Fields
}

export interface ResponsesRequest {
  readonly input: Fields
  /** The request for providers of the same API. */
  readonly native: NativeRequest & { readonly dialect: 'openai-responses' }
  readonly form: ResponseForm
  /** The fields and tools that only these providers understand. */
  readonly ignored: readonly string[]
  spell(field: string): string
}

/** Those that are read or rejected. */
const known: ReadonlySet<string> = new Set([
  'model',
  'input',
  'instructions',
  'stream',
  'stream_options',
  'max_output_tokens',
  'temperature',
  'top_p',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'text',
  'reasoning',
  'include',
  'metadata',
  'provider_options',
  'cache',
])

/** A request for a response in terms of `generate`. */
export function readResponsesRequest(body: Fields): ResponsesRequest {
  rejectUnsupported(body)
  const { messages, native, required: items, spell } = readInput(body)
  const read = readTools(body)
  const { tools, names, places, hosted } = read
  const required = [...read.required, ...items, ...(asksForLogprobs(body) ? ['include'] : [])]
  const choice = readToolChoice(body['tool_choice'], read)
  const reasoning = fieldsOf(body['reasoning'], 'reasoning')
  const text = fieldsOf(body['text'], 'text')
  const format = fieldsOf(text['format'], 'text.format')
  const { effort } = reasoning
  const input = {
    ...commonInput(body),
    messages,
    maxTokens: body['max_output_tokens'] ?? null,
    ...(tools.length > 0 && {
      tools,
      toolChoice: choice.input,
      parallelToolCalls: body['parallel_tool_calls'] ?? undefined,
    }),
    responseFormat: toResponseFormat(format),
    // Codex offers an effort that OpenAI's models do not have.
    reasoning: { effort: effort === 'ultra' ? 'max' : (effort ?? null) },
  }
  return {
    input,
    native: {
      dialect: 'openai-responses',
      fields: nativeFields(body, isInterpreted),
      messages: native,
      required,
    },
    ignored: [
      ...unknownFields(body, known).filter((name) => !isDefault(name, body[name])),
      ...ignoredIn(text, reasoning, body['include']),
      ...hosted,
    ],
    spell: (field) => {
      if (required.includes(field)) return field
      return field.startsWith('messages') || field === 'prompt' ? spell(field) : spellField(field, places)
    },
    form: {
      model: body['model'],
      toolNames: names,
      settings: {
        instructions: null,
        max_output_tokens: body['max_output_tokens'] ?? null,
        metadata: readMetadata(body['metadata']),
        parallel_tool_calls: body['parallel_tool_calls'] ?? true,
        previous_response_id: null,
        reasoning: { effort: effort ?? null, summary: null },
        store: false,
        temperature: body['temperature'] ?? null,
        text: { format: { type: format['type'] ?? 'text' } },
        tool_choice: choice.sent,
        tools: [],
        top_p: body['top_p'] ?? null,
        truncation: 'disabled',
      },
    },
  }
}

/** Rejects what would change the meaning of the response if it were ignored. */
function rejectUnsupported({ previous_response_id: previous, conversation, background, prompt }: Fields): void {
  const whole = 'is not supported: responses are not stored. Send the whole conversation as "input"'
  if (isPresent(previous)) throw invalid('previous_response_id', whole)
  if (isPresent(conversation)) throw invalid('conversation', whole)
  if (background === true) throw invalid('background', 'is not supported: responses are not stored. Use "stream"')
  if (isPresent(prompt)) throw invalid('prompt', 'is not supported: send "instructions" and "input"')
}

function asksForLogprobs({ include }: Fields): boolean {
  return listAt(include ?? [], 'include').includes('message.output_text.logprobs')
}

/** Fields that providers of the API have from the contract, and fields of Fairlead. */
const interpreted: readonly string[] = [
  'model',
  'input',
  'stream',
  'stream_options',
  'max_output_tokens',
  'temperature',
  'top_p',
  'provider_options',
  'cache',
]

function isInterpreted(name: string): boolean {
  return interpreted.includes(name) || (isReservedOption(name) && name !== 'instructions')
}

/** An optional object. */
function fieldsOf(value: unknown, field: string): Fields {
  return isPresent(value) ? objectAt(value, field) : {}
}

/** Values that ask for nothing. */
function isDefault(name: string, value: unknown): boolean {
  return value === false || value === 'disabled' || (name === 'service_tier' && value === 'auto')
}

const returned = new Set<unknown>(['reasoning.encrypted_content'])

const knownInReasoning: ReadonlySet<string> = new Set(['effort'])
const knownInText: ReadonlySet<string> = new Set(['format'])

function ignoredIn(text: Fields, reasoning: Fields, include: unknown): readonly string[] {
  const others = Array.isArray(include) && include.some((each) => !returned.has(each))
  return [
    ...unknownFields(reasoning, knownInReasoning).map((name) => `reasoning.${name}`),
    ...unknownFields(text, knownInText).map((name) => `text.${name}`),
    ...(others ? ['include'] : []),
  ]
}

function toResponseFormat({ type, schema, name, description, strict }: Fields): object | undefined {
  if (type === undefined || type === null || type === 'text') return undefined
  if (type === 'json_object') return { type: 'json' }
  if (type !== 'json_schema') throw invalid('text.format.type', 'must be "text", "json_object" or "json_schema"')
  return {
    type: 'json_schema',
    schema: schema ?? undefined,
    name: name ?? undefined,
    description: description ?? undefined,
    strict: strict ?? undefined,
  }
}

const maxMetadata = { pairs: 16, name: 64, value: 512 }

function readMetadata(value: unknown): Fields {
  const metadata = fieldsOf(value, 'metadata')
  const pairs = Object.entries(metadata)
  if (pairs.length > maxMetadata.pairs) throw invalid('metadata', `must have at most ${maxMetadata.pairs} fields`)
  const isFine = ([name, each]: [string, unknown]) =>
    name.length <= maxMetadata.name && typeof each === 'string' && each.length <= maxMetadata.value
  if (!pairs.every(isFine)) {
    const { name, value: length } = maxMetadata
    throw invalid('metadata', `must have names of at most ${name} characters and texts of at most ${length}`)
  }
  return metadata
}

/** Fields that OpenAI spells otherwise than in snake case. */
const spelled: Readonly<Record<string, string>> = {
  maxTokens: 'max_output_tokens',
  'toolChoice.type': 'tool_choice',
}

function spellField(field: string, toolPlaces: readonly string[]): string {
  return (
    spelled[field] ??
    toSnakeCase(field)
      .replace(/^(tools\[\d+\])\.input_schema/, '$1.parameters')
      .replace(/^tools\[(\d+)\]/, (place, index) => toolPlaces[Number(index)] ?? place)
      .replace(/^response_format/, 'text.format')
  )
}
