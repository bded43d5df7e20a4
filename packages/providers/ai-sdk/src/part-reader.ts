import type { LanguageModelV4Citation, LanguageModelV4Source, SharedV4ProviderMetadata } from '@ai-sdk/provider'
import type { AnswerPart, Citation, JsonObject, TextEvent } from '@fairlead/core/provider'
import type { AnyLanguageModel, AnyResult } from './options.ts'
import { fromMetadata } from './package-options.ts'

export type AnyContent = AnyResult['content'][number]
export type AnyStreamPart = ItemOf<Awaited<ReturnType<AnyLanguageModel['doStream']>>['stream']>
type ItemOf<Stream> = Stream extends ReadableStream<infer Item> ? Item : never

type Piece = Extract<AnyStreamPart, { type: `${'text' | 'reasoning'}-${'start' | 'delta' | 'end'}` }>

/** A text, reasoning, or tool call that has not ended. */
interface OpenPart {
  readonly index: number
  readonly type: AnswerPart['type']
  /** Of the deltas so far. */
  text: string
  /** The latest: a start, a delta, or an end may have it. */
  metadata: SharedV4ProviderMetadata | undefined
  citations?: readonly LanguageModelV4Citation[] | undefined
}

/**
 * Reads the parts of a stream. What the contract has no form for, such as the call of a tool that the upstream ran itself,
 * is an opaque part: as a tool call, the caller would have to answer it.
 */
export class PartReader {
  hasCalls = false
  readonly #id: string
  #next = 0
  /** By type and id. */
  readonly #open = new Map<string, OpenPart>()
  /** The sources of the text that ends next. */
  readonly #sources = new Map<string, LanguageModelV4Source>()
  /** A text that has ended, but whose sources may follow. */
  #ended: OpenPart | undefined

  /** @param id the provider's id, for what the model needs back in the next request */
  constructor(id: string) {
    this.#id = id
  }

  read(part: AnyStreamPart): readonly TextEvent[] {
    if (part.type === 'source') {
      this.#sources.set(part.id, part as LanguageModelV4Source)
      return []
    }
    return [...this.#endText(), ...this.#read(part)]
  }

  /** The ends of all parts, and sources without a text. */
  end(): readonly TextEvent[] {
    const ends = [...this.#endText(), ...[...this.#open.values()].flatMap((open) => this.#close(open))]
    return [...ends, ...[...this.#sources.values()].flatMap((source) => this.#addOpaque(source))]
  }

  #read(part: AnyStreamPart): readonly TextEvent[] {
    switch (part.type) {
      case 'text-start':
      case 'text-delta':
        return this.#say('text', part)
      case 'reasoning-start':
      case 'reasoning-delta':
        return this.#say('reasoning', part)
      case 'text-end': {
        const events = this.#say('text', part)
        this.#ended = this.#take(`text ${part.id}`)
        if (this.#ended && 'citations' in part) this.#ended.citations = part.citations
        return events
      }
      case 'reasoning-end':
        return [...this.#say('reasoning', part), ...this.#close(this.#take(`reasoning ${part.id}`))]
      case 'tool-input-start':
        return part.providerExecuted ? [] : this.#startCall(part.id, part.toolName)
      case 'tool-input-delta':
        return this.#grow(this.#open.get(`call ${part.id}`), part.delta)
      case 'tool-call':
        return part.providerExecuted ? this.#addOpaque(part) : this.#endCall(part)
      case 'tool-result':
        // Another one replaces it.
        return 'preliminary' in part && part.preliminary ? [] : this.#addOpaque(part)
      case 'file':
      case 'reasoning-file':
        return this.#addFile(part)
      case 'custom':
      case 'tool-approval-request':
        return this.#addOpaque(part)
      default:
        return []
    }
  }

  #say(type: 'text' | 'reasoning', part: Piece): readonly TextEvent[] {
    const key = `${type} ${part.id}`
    const starts = this.#open.has(key) ? [] : this.#start(key, { type, text: '' })
    const open = this.#open.get(key)
    if (open && part.providerMetadata) open.metadata = part.providerMetadata
    return [...starts, ...this.#grow(open, 'delta' in part ? part.delta : '')]
  }

  #startCall(id: string, name: string): readonly TextEvent[] {
    this.hasCalls = true
    return this.#start(`call ${id}`, { type: 'tool_call', id, name, inputText: '' })
  }

  /** Models that stream no inputs have them here, and some end them here. */
  #endCall({ toolCallId: id, toolName, input, providerMetadata }: Extract<AnyStreamPart, { type: 'tool-call' }>) {
    const key = `call ${id}`
    const starts = this.#open.has(key) ? [] : this.#startCall(id, toolName)
    const open = this.#take(key)
    const rest = open && input.startsWith(open.text) ? input.slice(open.text.length) : ''
    if (open) open.metadata = providerMetadata
    return [...starts, ...this.#grow(open, rest), ...this.#close(open)]
  }

  /** A file of which there is only an address, or that belongs to the reasoning, is a block of the model's own. */
  #addFile(part: Extract<AnyStreamPart, { type: 'file' | 'reasoning-file' }>): readonly TextEvent[] {
    const { mediaType } = part
    const data = toBase64(part.data)
    if (part.type !== 'file' || data === undefined) return this.#addOpaque({ ...part, data: data ?? part.data })
    const metadata = 'providerMetadata' in part ? part.providerMetadata : undefined
    return this.#add({ type: 'file', mediaType, data, ...fromMetadata(metadata, this.#id) })
  }

  #addOpaque(part: { readonly type: string; readonly data?: unknown }): readonly TextEvent[] {
    return this.#add({ type: 'opaque', provider: this.#id, dialect: 'ai-sdk', kind: part.type, data: plain(part) })
  }

  #add(part: AnswerPart): readonly TextEvent[] {
    const index = this.#next++
    return [
      { type: 'part_start', index, part },
      { type: 'part_end', index },
    ]
  }

  #start(key: string, part: AnswerPart): readonly TextEvent[] {
    const index = this.#next++
    this.#open.set(key, { index, type: part.type, text: '', metadata: undefined })
    return [{ type: 'part_start', index, part }]
  }

  #grow(open: OpenPart | undefined, text: string): readonly TextEvent[] {
    if (!open || text === '') return []
    open.text += text
    return [{ type: 'part_delta', index: open.index, text }]
  }

  #take(key: string): OpenPart | undefined {
    const open = this.#open.get(key)
    this.#open.delete(key)
    return open
  }

  #endText(): readonly TextEvent[] {
    const ended = this.#ended
    this.#ended = undefined
    return this.#close(ended)
  }

  #close(open: OpenPart | undefined): readonly TextEvent[] {
    if (!open) return []
    const { index, type, metadata } = open
    const citations = type === 'text' ? this.#citationsOf(open) : []
    return [
      ...citations.map((citation) => ({ type: 'part_delta', index, citation }) as const),
      { type: 'part_end', index, ...fromMetadata(metadata, this.#id) },
    ]
  }

  /** The citations of a range, and the other sources. */
  #citationsOf({ citations = [] }: OpenPart): readonly Citation[] {
    for (const { source } of citations) this.#sources.delete(source.id)
    const sources = [...this.#sources.values()].map((source) => ({ source }))
    this.#sources.clear()
    return [...citations, ...sources].map(toCitation)
  }
}

function toCitation({ source, startIndex: start, endIndex: end, citedText: quote }: LanguageModelV4Citation): Citation {
  return {
    url: source.sourceType === 'url' ? source.url : undefined,
    title: source.title,
    quote,
    ...(isOffset(start) && isOffset(end) && { start, end }),
    native: { 'ai-sdk': plain(source) },
  }
}

function isOffset(value: number | undefined): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

/** Undefined for an address. */
function toBase64(file: Extract<AnyStreamPart, { type: 'file' }>['data']): string | undefined {
  if (typeof file === 'string') return file
  if (file instanceof Uint8Array) return Buffer.from(file).toString('base64')
  return file.type === 'data' ? toBase64(file.data) : undefined
}

/** As JSON has it. */
function plain(part: object): JsonObject {
  return JSON.parse(JSON.stringify(part)) as JsonObject
}
