import { toSnakeCase } from '@fairlead/core'
import { commonInput } from './chat-request.ts'
import { type Fields, invalid, isObject, listAt, objectAt, unknownFields } from './fields.ts'
import { readInput } from './responses-input.ts'
import { hostedOptions, type ReadTools, readToolChoice, readTools } from './responses-tools.ts'

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
  readonly form: ResponseForm
  ignored(provider: string | undefined): readonly string[]
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
  const { messages, spell } = readInput(body)
  const read = readTools(body)
  const { tools, names, places, hosted } = read
  const choice = readToolChoice(body['tool_choice'], read)
  const reasoning = fieldsOf(body['reasoning'], 'reasoning')
  const text = fieldsOf(body['text'], 'text')
  const format = fieldsOf(text['format'], 'text.format')
  const { effort, summary } = reasoning
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
    reasoning: { effort: aboveHighest.has(effort) ? 'xhigh' : (effort ?? null) },
    providerOptions: withOptions(body['provider_options'], {
      ...(isSummarized(effort, summary) && { reasoning: { summary } }),
      ...hostedOptions(read, choice),
    }),
  }
  const ignored = [
    ...unknownFields(body, known).filter((name) => !isDefault(name, body[name])),
    ...ignoredIn(text, reasoning, body['include']),
  ]
  return {
    input,
    ignored: (provider) => [
      ...ignored,
      ...hosted.filter(({ isRunnable }) => provider !== openai || !isRunnable).map(({ type }) => type),
    ],
    spell: (field) => (field.startsWith('messages') || field === 'prompt' ? spell(field) : spellField(field, places)),
    form: {
      model: body['model'],
      toolNames: names,
      settings: {
        instructions: null,
        max_output_tokens: body['max_output_tokens'] ?? null,
        metadata: readMetadata(body['metadata']),
        parallel_tool_calls: body['parallel_tool_calls'] ?? true,
        previous_response_id: null,
        reasoning: { effort: effort ?? null, summary: isSummarized(effort, summary) ? summary : null },
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
function rejectUnsupported({
  previous_response_id: previous,
  conversation,
  background,
  prompt,
  include,
}: Fields): void {
  const whole = 'is not supported: responses are not stored. Send the whole conversation as "input"'
  if (isPresent(previous)) throw invalid('previous_response_id', whole)
  if (isPresent(conversation)) throw invalid('conversation', whole)
  if (background === true) throw invalid('background', 'is not supported: responses are not stored. Use "stream"')
  if (isPresent(prompt)) throw invalid('prompt', 'is not supported: send "instructions" and "input"')
  if (listAt(include ?? [], 'include').includes('message.output_text.logprobs')) {
    throw invalid('include', 'must not have "message.output_text.logprobs", which is not supported')
  }
}

/** Efforts that Codex offers, and core does not have. */
const aboveHighest: ReadonlySet<unknown> = new Set(['max', 'ultra'])

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null
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

const knownInReasoning: ReadonlySet<string> = new Set(['effort', 'summary'])
const knownInText: ReadonlySet<string> = new Set(['format'])

function ignoredIn(text: Fields, reasoning: Fields, include: unknown): readonly string[] {
  const { effort, summary } = reasoning
  const others = Array.isArray(include) && include.some((each) => !returned.has(each))
  return [
    ...(isPresent(summary) && !isSummarized(effort, summary) ? ['reasoning.summary'] : []),
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

/** Only the Responses API of OpenAI has summaries, which is used for models that reason. */
function isSummarized(effort: unknown, summary: unknown): boolean {
  return typeof summary === 'string' && summary.length <= 20 && typeof effort === 'string' && effort !== 'none'
}

const openai = 'openai'

/** The options of the client, with those for OpenAI's provider that follow from other fields. */
function withOptions(given: unknown, added: Fields): unknown {
  if (Object.keys(added).length === 0) return given ?? undefined
  const options = isObject(given) ? given : {}
  const own = isObject(options[openai]) ? options[openai] : {}
  return { ...options, [openai]: { ...added, ...own } }
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
  'providerOptions.openai.tools': 'tools',
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
