import {
  type AnswerPart,
  parseJson,
  PartWriter,
  ProviderError,
  type TextAnswer,
  type TextEvent,
  readToolInput,
} from '@fairlead/core/provider'
import * as z from 'zod'

const count = z.int().min(0)

/** A field that may be missing or null. */
function optional<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value) => value ?? undefined)
}

const end = {
  ended: z.string(),
  before: optional(z.string()),
  tokens: z.object({
    read: count,
    written: count,
    thought: optional(count),
    cached: optional(count),
    searches: optional(count),
  }),
}
const wirePart = z.union([
  z.object({ piece: z.string(), source: optional(z.string()) }),
  z.object({ thought: z.string(), seal: optional(z.string()) }),
  z.object({ call: z.string().min(1), name: z.string().min(1), json: z.string() }),
  z.object({ searched: z.string() }),
])

export const wireText = z.object({ text: optional(z.string()), parts: optional(z.array(wirePart)), ...end })
const wireEvent = z.union([wirePart, z.object(end)])

type WireText = z.output<typeof wireText>

/** @throws ProviderError if the text is not what the schema describes */
export function parseWire<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
  const read = schema.safeParse(parseJson(text))
  if (read.success) return read.data
  const faults = read.error.issues.flatMap(listPaths).join(', ')
  throw new ProviderError('retry', `the reply is not what the API documents: ${faults}`)
}

function listPaths(issue: z.core.$ZodIssue): readonly string[] {
  return issue.code === 'invalid_union' ? issue.errors.flat().flatMap(listPaths) : [issue.path.join('.')]
}

/** The request itself, with the options of this provider in place of the options of all providers. */
export function toWire(request: object): object {
  const { providerOptions, ...body } = request as { providerOptions?: { sample?: object } }
  const wire = JSON.parse(
    JSON.stringify(body, (name, value) => (name === 'providerOptions' ? value.sample : value)),
  ) as object
  return { ...wire, ...providerOptions?.sample }
}

export function toAnswer({ text = '', parts, ...finish }: WireText): TextAnswer {
  return { parts: parts ? parts.map(toPart) : [{ type: 'text', text }], ...toFinish(finish) }
}

function toPart(wire: z.output<typeof wirePart>): AnswerPart {
  if ('piece' in wire) return { type: 'text', text: wire.piece, ...toCitations(wire) }
  if ('searched' in wire) return toBlock(wire)
  if ('call' in wire) return { type: 'tool_call', id: wire.call, name: wire.name, ...readToolInput(wire.json) }
  return { type: 'reasoning', text: wire.thought, ...toSeal(wire) }
}

function toCitations({ source }: { readonly source?: string | undefined }) {
  return source === undefined ? {} : { citations: [{ url: source }] }
}

function toBlock(data: { readonly searched: string }): AnswerPart {
  return { type: 'opaque', provider: 'sample', dialect: 'google', kind: 'search', data }
}

function toSeal({ seal }: { readonly seal?: string | undefined }) {
  return seal === undefined ? {} : { providerOptions: { sample: { seal } } }
}

export async function* toEvents(datas: AsyncIterable<string>): AsyncGenerator<TextEvent, void, undefined> {
  const writer = new PartWriter()
  const calls = new Set<string>()
  for await (const data of datas) {
    const event = parseWire(wireEvent, data)
    if ('searched' in event) yield* writer.add(toBlock(event))
    else if ('piece' in event) {
      for (const said of writer.say('text', event.piece)) {
        yield said
        if (said.type !== 'part_delta') continue
        for (const citation of toCitations(event).citations ?? [])
          yield { type: 'part_delta', index: said.index, citation }
      }
    } else if ('thought' in event) {
      yield* writer.say('reasoning', event.thought)
      if (event.seal !== undefined) yield* writer.close(toSeal(event))
    } else if ('call' in event) {
      if (!calls.has(event.call)) yield* writer.call({ id: event.call, name: event.name })
      calls.add(event.call)
      yield* writer.input(event.call, event.json)
    } else {
      yield* writer.end()
      yield { type: 'finish', ...toFinish(event) }
    }
  }
}

const finishReasons = { limit: 'length', tools: 'tool_calls', refused: 'content_filter' } as const

function toFinish({ ended, before, tokens }: Pick<WireText, 'ended' | 'before' | 'tokens'>) {
  const { read, written, thought, cached, searches } = tokens
  const usage = {
    promptTokens: read,
    completionTokens: written,
    ...(thought !== undefined && { reasoningTokens: thought }),
    ...(cached !== undefined && { cachedPromptTokens: cached }),
    ...(searches !== undefined && { webSearches: searches }),
  }
  return {
    finishReason: finishReasons[ended as keyof typeof finishReasons] ?? 'stop',
    ...(before !== undefined && { stopSequence: before }),
    usage,
  } as const
}
