import {
  type Analysis,
  type AnalysisRequest,
  type AnswerPart,
  entityTypes,
  type ImageRequest,
  type Issue,
  type Message,
  type MessagePart,
  PartWriter,
  readToolInput,
  sentimentLabels,
  type TextAnswer,
  type TextEvent,
  type TextFinish,
  type TextRequest,
  type Tool,
} from '@fairlead/core/provider'
import type { ErrorReading, UpstreamError } from '@fairlead/provider-toolkit'
import * as z from 'zod'

// Text: POST /write

const end = {
  ended: z.enum(['done', 'limit', 'tools']),
  before: z.string().optional(),
  tokens: z.object({ read: z.int(), written: z.int() }),
}
const use = z.object({ call: z.string().min(1), name: z.string().min(1), with: z.record(z.string(), z.unknown()) })

export const textReply = z.object({ text: z.string(), uses: z.array(use).optional(), ...end })
/** An event of a stream: a part of the text, a part of the JSON of a tool's input, or the finish at the end. */
export const textEvent = z.union([
  z.object({ piece: z.string() }),
  z.object({ call: z.string().min(1), name: z.string().min(1), json: z.string() }),
  z.object(end),
])

/** @param id the provider's id: options under other ids are meant for other providers */
export function toText(request: TextRequest, id: string) {
  const { model, messages, maxTokens, temperature, stop, tools, toolChoice, providerOptions } = request
  return {
    model,
    turns: messages.flatMap(({ role, content }) => content.flatMap((part) => toTurn(role, part, id))),
    ...(maxTokens !== undefined && { limit: maxTokens }),
    ...(temperature !== undefined && { heat: temperature / 2 }),
    ...(stop && { until: stop }),
    ...(tools && { tools: tools.map((tool) => toTool(tool, id)) }),
    ...(toolChoice && { use: toolChoice.type === 'tool' ? { name: toolChoice.name } : uses[toolChoice.type] }),
    ...providerOptions?.[id],
  }
}

const speakers = { system: 'guide', user: 'reader', assistant: 'quill', tool: 'tool' } as const
const uses = { auto: 'any', none: 'none', required: 'must' } as const

/** Goose is listed without `vision` and `reasoning`, so Fairlead sends it no other part than texts and tools. */
function toTurn(role: Message['role'], part: MessagePart, id: string) {
  if (part.type === 'opaque') return []
  const turn = { by: speakers[role], ...part.providerOptions?.[id] }
  if (part.type === 'tool_call') return { ...turn, call: part.id, name: part.name, with: part.input ?? {} }
  if (part.type === 'tool_result') {
    const says = part.content.map(textOf).join('\n')
    return { ...turn, call: part.toolCallId, says, ...(part.isError && { failed: true }) }
  }
  return { ...turn, says: textOf(part) }
}

function textOf(part: MessagePart): string {
  return part.type === 'text' ? part.text : ''
}

function toTool({ name, description, inputSchema, providerOptions }: Tool, id: string) {
  return { name, about: description, takes: inputSchema, ...providerOptions?.[id] }
}

export function toAnswer(
  request: TextRequest,
  { text, uses: used = [], ...ending }: z.output<typeof textReply>,
): TextAnswer {
  const calls = used.map(({ call, name, with: input }): AnswerPart => ({
    type: 'tool_call',
    id: call,
    name,
    ...readToolInput(JSON.stringify(input)),
  }))
  return { parts: [...(text === '' ? [] : [{ type: 'text', text } as const]), ...calls], ...toFinish(request, ending) }
}

export async function* toEvents(
  request: TextRequest,
  events: AsyncIterable<z.output<typeof textEvent>>,
): AsyncGenerator<TextEvent> {
  const parts = new PartWriter()
  const calls = new Set<string>()
  for await (const event of events) {
    if ('piece' in event) yield* parts.say('text', event.piece)
    else if ('call' in event) {
      const { call, name, json } = event
      if (!calls.has(call)) yield* parts.call({ id: call, name })
      calls.add(call)
      yield* parts.input(call, json)
    } else {
      yield* parts.end()
      yield { type: 'finish', ...toFinish(request, event) }
    }
  }
}

const finishReasons = { done: 'stop', limit: 'length', tools: 'tool_calls' } as const

type End = Pick<z.output<typeof textReply>, 'ended' | 'before' | 'tokens'>

function toFinish(request: TextRequest, { ended, before, tokens }: End): TextFinish {
  return {
    finishReason: finishReasons[ended],
    ...(before !== undefined && { stopSequence: before }),
    usage: { promptTokens: tokens.read, completionTokens: tokens.written },
    warnings: unsupportedInTexts(request),
  }
}

/** A warning for each setting that was requested and that Quill does not support. */
function unsupportedInTexts(request: TextRequest): Issue[] {
  const {
    topP = 1,
    frequencyPenalty = 0,
    presencePenalty = 0,
    seed,
    tools = [],
    parallelToolCalls,
    responseFormat,
  } = request
  return unsupported({
    topP: topP !== 1,
    frequencyPenalty: frequencyPenalty !== 0,
    presencePenalty: presencePenalty !== 0,
    seed: seed !== undefined,
    'tools.strict': tools.some(({ strict }) => strict === true),
    parallelToolCalls: parallelToolCalls === false,
    responseFormat: responseFormat !== undefined,
  })
}

// Images: POST /draw

export const imageReply = z.object({ png: z.base64() })

export function toImage({ model, prompt, width, height, quality }: ImageRequest) {
  return { model, prompt, wide: width, high: height, fine: quality === 'hd' }
}

export function unsupportedInImages({ style, seed }: ImageRequest): Issue[] {
  return unsupported({ style: style !== 'natural', seed: seed !== undefined })
}

// Analyses: POST /read

const share = z.number().min(0).max(1)

const mood = z.object({ value: z.number().min(-1).max(1), word: z.enum(sentimentLabels) })
const names = z.array(z.object({ name: z.string(), kind: z.string(), sure: share }))

/** Has a part for each requested task. */
export function analysisReply(tasks: AnalysisRequest['tasks']) {
  return z.object({
    mood: tasks.includes('sentiment') ? mood : mood.optional(),
    names: tasks.includes('entities') ? names : names.optional(),
  })
}

export function toAnalysis(reply: z.output<ReturnType<typeof analysisReply>>): Analysis {
  const { mood: felt, names: named } = reply
  const entities = named?.map(({ name, kind, sure }) => ({
    text: name,
    type: entityTypes.find((type) => type.toLowerCase() === kind) ?? 'OTHER',
    confidence: sure,
  }))
  return { ...(felt && { sentiment: { score: felt.value, label: felt.word } }), ...(entities && { entities }) }
}

// Errors

const failure = z.object({ error: z.object({ reason: z.string(), because: z.string() }) })

/** Most errors follow from the status. Only the body says that the content of a prompt was refused. */
export function explainError({ body }: UpstreamError): ErrorReading | undefined {
  const { data } = failure.safeParse(body)
  if (!data) return undefined
  const { reason, because: message } = data.error
  return reason === 'unseemly' ? { failure: 'content_refused', message } : { message }
}

function unsupported(requested: Readonly<Record<string, boolean>>): Issue[] {
  const fields = Object.entries(requested).filter(([, isRequested]) => isRequested)
  return fields.map(([field]) => ({ field, issue: 'is not supported by Quill' }))
}
