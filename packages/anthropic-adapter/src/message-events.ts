import type { Failure } from '@fairlead/core'
import {
  type AnswerPart,
  type PartEnd,
  type ResponseFacts,
  type TextAnswer,
  type TextDelta,
  textIn,
  type AnswerUsage,
} from '@fairlead/core/provider'
import { AnswerWriter, eventText, type NativeEvent } from '@fairlead/http'
import { toErrorBody } from './errors.ts'
import {
  blocksBehind,
  redactedBlock,
  readSignature,
  textBlock,
  thinkingBlock,
  toBlocks,
  toCitation,
  toolBlock,
} from './message-blocks.ts'
import { emptyMessage, type MessageHead, toStop, toUsage } from './message-body.ts'
import type { Block, ProviderData } from './provider-data.ts'

/** A part of the answer that has not ended. */
interface OpenPart {
  readonly part: AnswerPart
  /** The index of its block, once that has begun. */
  block: number | undefined
}

/** Writes the events of one stream. Each part is a block; the data of another provider follows in a separate block. */
export class MessageWriter extends AnswerWriter<OpenPart> {
  readonly #head: MessageHead
  readonly #data: ProviderData
  #blocks = 0
  #facts: ResponseFacts = {}
  /** The content of the message's start, once it was sent. */
  #started: Block | undefined
  /** The latest counts since the start. */
  #usage: AnswerUsage | undefined

  constructor(head: MessageHead, data: ProviderData) {
    super()
    this.#head = head
    this.#data = data
  }

  #send(type: string, fields: Block = {}): void {
    this.text += eventText(JSON.stringify({ type, ...fields }), type)
  }

  protected start(response: ResponseFacts): void {
    this.#facts = { ...this.#facts, ...response }
  }

  protected override count(usage: AnswerUsage): void {
    if (this.#started) this.#usage = usage
    else this.#begin(usage)
  }

  protected override addNative({ dialect, data }: NativeEvent): void {
    if (dialect !== 'anthropic') return
    this.#begin()
    const { type, ...fields } = data
    this.#send(String(type), fields)
  }

  #begin(usage?: AnswerUsage): void {
    if (this.#started) return
    this.#started = emptyMessage(this.#head, this.#facts, usage)
    this.#send('message_start', { message: this.#started })
    this.#send('ping')
  }

  protected startPart(part: AnswerPart): OpenPart {
    this.#begin()
    // Reasoning of another provider begins with its first words: it may turn out to be encrypted.
    const isLater = part.type === 'reasoning' && part.text === '' && !this.#isOwn()
    const open: OpenPart = { part, block: isLater ? undefined : this.#startOf(part) }
    const text = textIn(part)
    if (text !== '') this.extend(open, { text })
    if (part.type === 'text') for (const citation of part.citations ?? []) this.extend(open, { citation })
    return open
  }

  /** Begins the block of a part, without its text: clients read that from deltas alone. */
  #startOf(part: AnswerPart): number | undefined {
    switch (part.type) {
      case 'text':
        return this.#startBlock(textBlock({ ...part, text: '', citations: part.citations?.length ? [] : undefined }))
      case 'tool_call':
        return this.#startBlock(toolBlock(part, this.#data, this.#isOwn()))
      case 'reasoning': {
        // The signature follows at the end.
        const bare = { ...part, text: '', providerOptions: undefined }
        return this.#startBlock(redactedBlock(part, this.#data) ?? thinkingBlock(bare, this.#data))
      }
      case 'opaque':
        return part.dialect === 'anthropic' ? this.#startBlock(part.data) : undefined
      default:
        return undefined
    }
  }

  #isOwn(): boolean {
    return this.#facts.native?.anthropic !== undefined
  }

  protected extend(open: OpenPart, { text, citation, data }: Pick<TextDelta, 'text' | 'citation' | 'data'>): void {
    const { part } = open
    if (part.type === 'reasoning' && text) open.block ??= this.#startOf(part)
    if (open.block === undefined) return
    if (text !== undefined && part.type in deltas) this.#sendDelta(open.block, part.type as keyof typeof deltas, text)
    if (citation) this.#sendBlockDelta(open.block, { type: 'citations_delta', citation: toCitation(citation) })
    if (data) this.#sendBlockDelta(open.block, data)
  }

  /** Most events of all are such deltas. */
  #sendDelta(index: number, kind: keyof typeof deltas, text: string): void {
    this.text += `${deltaHead}${index},"delta":{${deltas[kind]}:${JSON.stringify(text)}}}\n\n`
  }

  #sendBlockDelta(index: number, delta: Block): void {
    this.#send('content_block_delta', { index, delta })
  }

  protected endPart({ block }: OpenPart, { part }: PartEnd): void {
    if (block === undefined) {
      for (const each of toBlocks(part, this.#data, this.#isOwn())) this.#sendWhole(each)
      return
    }
    const signature = part.type === 'reasoning' ? readSignature(part.providerOptions, this.#data) : ''
    if (signature !== '') this.#sendDelta(block, 'signature', signature)
    this.#stop(block)
    for (const behind of blocksBehind(part, this.#data)) this.#sendWhole(behind)
  }

  #startBlock(block: Block): number {
    this.#send('content_block_start', { index: this.#blocks, content_block: block })
    return this.#blocks++
  }

  #stop(index: number): void {
    this.#send('content_block_stop', { index })
  }

  #sendWhole(block: Block): void {
    this.#stop(this.#startBlock(block))
  }

  protected finish(answer: TextAnswer): void {
    this.#begin(answer.usage)
    const own = answer.response?.native?.anthropic ?? {}
    const { container } = own
    const started = this.#started!
    const later = Object.entries(own).filter(([name, value]) => !ofDelta.has(name) && !isSame(value, started[name]))
    const usage = toUsage(this.#usage?.native ? this.#usage : answer.usage)
    const delta = { ...toStop(answer), ...(container !== undefined && { container }) }
    this.#send('message_delta', { delta, usage, ...Object.fromEntries(later) })
    this.#send('message_stop')
  }

  protected fail(failure: Failure): void {
    const { type, ...body } = toErrorBody(failure)
    this.#send(type, body)
  }
}

const deltaHead = 'event: content_block_delta\ndata: {"type":"content_block_delta","index":'

/** The delta for the text of a part, up to its value. */
const deltas = {
  text: '"type":"text_delta","text"',
  reasoning: '"type":"thinking_delta","thinking"',
  tool_call: '"type":"input_json_delta","partial_json"',
  signature: '"type":"signature_delta","signature"',
}

/** The fields of the message that its end has in the delta. */
const ofDelta: ReadonlySet<string> = new Set(['container', 'stop_details', 'stop_reason', 'stop_sequence'])

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}
