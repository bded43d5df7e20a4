import type {
  AnswerPart,
  Citation,
  PartEvent,
  ProviderOptions,
  ReasoningPart,
  ResponseFacts,
  TextAnswer,
  TextDelta,
  TextEvent,
  TextPart,
  TokenUsage,
} from '@fairlead/core/provider'
import type { WithAnswer } from '@fairlead/core'
import { eventText, type ResultEvent } from '@fairlead/http'
import { toErrorBody } from './errors.ts'
import {
  blocksBehind,
  opaqueBlock,
  redactedBlock,
  signatureOf,
  textBlock,
  thinkingBlock,
  toCitation,
  toolBlock,
} from './message-blocks.ts'
import { answerOf, emptyMessage, type MessageHead, toStop, toUsage } from './message-body.ts'
import type { Block, ProviderData } from './provider-data.ts'

/** A part of the answer that has not ended. */
interface OpenPart {
  readonly part: AnswerPart
  /** The index of its block, once that has begun. */
  block: number | undefined
}

/** Writes the events of one stream. Each part is a block; the data of another provider follows in a block of its own. */
export class MessageWriter {
  readonly #head: MessageHead
  readonly #data: ProviderData
  readonly #open = new Map<number, OpenPart>()
  #blocks = 0
  #facts: ResponseFacts = {}
  /** What the start of the message has said, once it was sent. */
  #started: Block | undefined
  /** The latest counts since the start. */
  #usage: TokenUsage | undefined
  #text = ''

  constructor(head: MessageHead, data: ProviderData) {
    this.#head = head
    this.#data = data
  }

  /** The server-sent events for an event of core. */
  write(event: ResultEvent): string {
    this.#text = ''
    if (event.type === 'error') {
      const { type, ...body } = toErrorBody(event.reply)
      this.#send(type, body)
    } else if (event.type === 'done') {
      this.#finish(answerOf(event.reply.data as WithAnswer))
    } else {
      this.#add(event.chunk as TextEvent)
    }
    return this.#text
  }

  #send(type: string, fields: Block = {}): void {
    this.#text += eventText(JSON.stringify({ type, ...fields }), type)
  }

  #add(event: TextEvent): void {
    switch (event.type) {
      case 'start':
        this.#facts = { ...this.#facts, ...event.response }
        break
      case 'usage':
        if (this.#started) this.#usage = event.usage
        else this.#begin(event.usage)
        break
      case 'part_start':
      case 'part_delta':
      case 'part_end':
        this.#begin()
        this.#addPart(event)
        break
      default:
    }
  }

  #begin(usage?: TokenUsage): void {
    if (this.#started) return
    this.#started = emptyMessage(this.#head, this.#facts, usage)
    this.#send('message_start', { message: this.#started })
    this.#send('ping')
  }

  #addPart(event: PartEvent): void {
    if (event.type === 'part_start') {
      this.#open.set(event.index, { part: event.part, block: this.#startOf(event.part) })
      return
    }
    const open = this.#open.get(event.index)!
    if (event.type === 'part_delta') return this.#extend(open, event)
    this.#open.delete(event.index)
    this.#end(open, event)
  }

  /** Reasoning of another provider begins with its first words: it may turn out to be encrypted. */
  #startOf(part: AnswerPart): number | undefined {
    switch (part.type) {
      case 'text':
        return this.#startText(part)
      case 'tool_call': {
        const block = this.#start(toolBlock(part, this.#data, this.#isOwn()))
        if (part.inputText !== '') this.#sendDelta(block, 'input_json_delta', 'partial_json', part.inputText)
        return block
      }
      case 'reasoning':
        if (part.text === '' && !this.#isOwn()) return undefined
        return this.#startReasoning(part)
      case 'opaque':
        return part.dialect === 'anthropic' ? this.#start(part.data) : undefined
      default:
        return undefined
    }
  }

  /** Clients read texts from deltas alone. */
  #startText({ citations = [], ...part }: TextPart): number {
    const index = this.#start({ ...textBlock(part), text: '', ...(citations.length > 0 && { citations: [] }) })
    if (part.text !== '') this.#sendDelta(index, 'text_delta', 'text', part.text)
    for (const citation of citations) this.#sendCitation(index, citation)
    return index
  }

  /** The signature follows at the end. */
  #startReasoning(part: ReasoningPart): number {
    const redacted = redactedBlock(part, this.#data)
    if (redacted) return this.#start(redacted)
    const index = this.#start(thinkingBlock({ ...part, text: '', providerOptions: undefined }, this.#data))
    if (part.text !== '') this.#sendDelta(index, 'thinking_delta', 'thinking', part.text)
    return index
  }

  #isOwn(): boolean {
    return this.#facts.native?.anthropic !== undefined
  }

  #extend(open: OpenPart, { text, citation, data }: TextDelta): void {
    const { part } = open
    if (part.type === 'refusal' || part.type === 'file') return
    if (part.type === 'reasoning' && text) open.block ??= this.#startReasoning(part)
    if (open.block === undefined) return
    if (text !== undefined && part.type !== 'opaque') {
      const { type, name } = deltas[part.type]
      this.#sendDelta(open.block, type, name, text)
    }
    if (citation) this.#sendCitation(open.block, citation)
    if (data) this.#sendBlockDelta(open.block, data)
  }

  /** Most events of all are such deltas. */
  #sendDelta(index: number, type: string, name: string, text: string): void {
    this.#text += `${deltaHead}${index},"delta":{"type":"${type}","${name}":${JSON.stringify(text)}}}\n\n`
  }

  #sendCitation(index: number, citation: Citation): void {
    this.#sendBlockDelta(index, { type: 'citations_delta', citation: toCitation(citation) })
  }

  #sendBlockDelta(index: number, delta: Block): void {
    this.#send('content_block_delta', { index, delta })
  }

  #end({ part, block }: OpenPart, { providerOptions: last, native }: Extract<PartEvent, { type: 'part_end' }>): void {
    if (part.type === 'opaque' && block === undefined) {
      return this.#sendWhole(opaqueBlock({ ...part, data: native?.[part.dialect] ?? part.data }))
    }
    const first = part.type === 'opaque' ? undefined : part.providerOptions
    const options = last ? { ...first, ...last } : first
    if (part.type === 'reasoning') return this.#endReasoning(part, block, options)
    if (block !== undefined) this.#stop(block)
    if (part.type !== 'text' && part.type !== 'tool_call') return
    for (const behind of blocksBehind(part, options, this.#data)) this.#sendWhole(behind)
  }

  #endReasoning(part: ReasoningPart, block: number | undefined, options: ProviderOptions | undefined): void {
    if (block === undefined) {
      const redacted = redactedBlock({ ...part, providerOptions: options }, this.#data)
      if (redacted) this.#sendWhole(redacted)
      return
    }
    const signature = signatureOf(options, this.#data)
    if (signature !== '') this.#sendDelta(block, 'signature_delta', 'signature', signature)
    this.#stop(block)
  }

  #start(block: Block): number {
    this.#send('content_block_start', { index: this.#blocks, content_block: block })
    return this.#blocks++
  }

  #stop(index: number): void {
    this.#send('content_block_stop', { index })
  }

  #sendWhole(block: Block): void {
    this.#stop(this.#start(block))
  }

  #finish(answer: TextAnswer): void {
    this.#begin(answer.usage)
    const own = answer.response?.native?.anthropic ?? {}
    const { container } = own
    const started = this.#started!
    const later = Object.entries(own).filter(([name, value]) => !ofDelta.has(name) && !isSame(value, started[name]))
    const usage = toUsage(
      this.#usage?.native ? this.#usage : (answer.usage ?? { promptTokens: 0, completionTokens: 0 }),
    )
    const delta = { ...toStop(answer), ...(container !== undefined && { container }) }
    this.#send('message_delta', { delta, usage, ...Object.fromEntries(later) })
    this.#send('message_stop')
  }
}

const deltaHead = 'event: content_block_delta\ndata: {"type":"content_block_delta","index":'

const deltas = {
  text: { type: 'text_delta', name: 'text' },
  reasoning: { type: 'thinking_delta', name: 'thinking' },
  tool_call: { type: 'input_json_delta', name: 'partial_json' },
} as const

/** What the end says of the message in its delta. */
const ofDelta: ReadonlySet<string> = new Set(['container', 'stop_details', 'stop_reason', 'stop_sequence'])

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}
