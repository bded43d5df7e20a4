import { tagsIn, toSnakeCase } from '@fairlead/core/adapter'
import { type Fields, invalid, isPresent, listAt, objectAt } from '@fairlead/http'
import { commonInput, toolInput, toResponseFormat } from './chat-request.ts'
import { nativeFields, settings, toolSettings, unknownFields } from './fields.ts'
import { readInput } from './responses-input.ts'
import { readToolChoice, readTools, type ToolName } from './responses-tools.ts'

/** The facts about a request that its response depends on. */
export interface ResponseForm {
  /** As the client named it. */
  readonly model: unknown
  /** By the name that the model knows. */
  readonly toolNames: ReadonlyMap<string, ToolName>
  /** Settings that the response repeats. Long ones are left out: instructions, tools, and schemas. */
  readonly settings: Fields
}

/** Fields that a native request leaves out, because providers have them from the contract. */
const interpreted = [...settings, 'input', 'max_output_tokens']
/** Fields that are read or rejected. */
const known = [...interpreted, ...toolSettings, 'instructions', 'text', 'reasoning', 'include', 'metadata']

/** Reads a request for a response in terms of `generate`. */
export function readResponsesRequest(body: Fields) {
  rejectUnsupported(body)
  const { messages, native, required: items, spell } = readInput(body)
  const { tools, names, paths, hosted, search, isSearchChosen, required: ofTools } = readTools(body)
  const chosen = readToolChoice(body['tool_choice'], tools.length > 0 || search !== undefined)
  const choice = isSearchChosen ? { ...chosen, input: { type: 'required' } } : chosen
  const reasoning = readFields(body['reasoning'], 'reasoning')
  const text = readFields(body['text'], 'text')
  const format = readFields(text['format'], 'text.format')
  const responseFormat = toResponseFormat(format['type'] ?? 'text', format, 'text.format')
  const required = [...ofTools, ...items, ...responseFormat.required, ...(asksForLogprobs(body) ? ['include'] : [])]
  const { effort } = reasoning
  const input = {
    ...commonInput(body),
    messages,
    maxTokens: body['max_output_tokens'] ?? null,
    ...toolInput(body, tools, choice.input, search?.input),
    responseFormat: responseFormat.input,
    // Codex offers an effort that OpenAI's models do not have.
    reasoning: { effort: effort === 'ultra' ? 'max' : (effort ?? null) },
  }
  return {
    input,
    /** The request for providers of the same API. */
    native: {
      dialect: 'openai-responses' as const,
      fields: nativeFields(body, interpreted, ['instructions']),
      messages: native,
      required,
    },
    metadata: tagsIn(readMetadata(body['metadata'])),
    /** The fields and tools that only these providers understand. @param searches whether the provider searches the web */
    ignored: (searches: boolean) => {
      const translates = searches && search !== undefined
      const others = unknownFields(body, translates ? [...known, 'max_tool_calls'] : known)
      return [
        ...others.filter((name) => !isDefault(name, body[name])),
        ...ignoredIn(text, reasoning, body['include']),
        ...(translates ? [...hosted.filter((type) => type !== search.type), ...search.ignored] : hosted),
      ]
    },
    spell: (field: string) => {
      if (required.includes(field)) return field
      if (field.startsWith('webSearch')) return search ? spellSearch(field, search.path) : field
      return field.startsWith('messages') || field === 'prompt' ? spell(field) : spellField(field, paths)
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
    } satisfies ResponseForm,
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

/** An optional object. */
function readFields(value: unknown, field: string): Fields {
  return isPresent(value) ? objectAt(value, field) : {}
}

/** Values that ask for nothing. */
function isDefault(name: string, value: unknown): boolean {
  return value === false || value === 'disabled' || (name === 'service_tier' && value === 'auto')
}

function ignoredIn(text: Fields, reasoning: Fields, include: unknown): readonly string[] {
  const others = Array.isArray(include) && include.some((each) => each !== 'reasoning.encrypted_content')
  return [
    ...unknownFields(reasoning, ['effort']).map((name) => `reasoning.${name}`),
    ...unknownFields(text, ['format']).map((name) => `text.${name}`),
    ...(others ? ['include'] : []),
  ]
}

const maxMetadata = { pairs: 16, name: 64, value: 512 }

function readMetadata(value: unknown): Fields {
  const metadata = readFields(value, 'metadata')
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

function spellSearch(field: string, path: string): string {
  if (field === 'webSearch') return `${path}.type`
  if (field === 'webSearch.maxUses') return 'max_tool_calls'
  return path + toSnakeCase(field.slice('webSearch'.length)).replace(/\.(?=allowed|blocked)/, '.filters.')
}

function spellField(field: string, toolPaths: readonly string[]): string {
  return (
    spelled[field] ??
    toSnakeCase(field)
      .replace(/^(tools\[\d+\])\.input_schema/, '$1.parameters')
      .replace(/^tools\[(\d+)\]/, (path, index) => toolPaths[Number(index)] ?? path)
      .replace(/^response_format/, 'text.format')
  )
}
