import { type JsonObject, ProviderError, type ResponseFacts, type TextEvent } from '@fairlead/core/provider'
import {
  type ChatChoice,
  type ChatChunk,
  type ChatMessage,
  citationsIn,
  type Counts,
  isCutOff,
  nativeOfChoice,
  nativeOfHead,
  nativeOfMessage,
  opaquePart,
  readFacts,
  readFinishReason,
  type Reading,
  readStopSequence,
  readUsage,
  reasoningOf,
} from './chat-reply.ts'
import { toFinish } from './finish.ts'
import { filled, without } from './parts.ts'
import { reasoningDetails } from './reasoning-details.ts'
import { withTier } from './tiers.ts'
import { type ToolCallDelta, ToolCallStream } from './tool-calls.ts'

/** Stands for a comment, such as OpenRouter's `: OPENROUTER PROCESSING`. */
export const silentChunk: ChatChunk = { choices: [] }

/**
 * The events of a streamed chat completion. The finish reason arrives before the token counts. A stream without a finish
 * reason was cut off, whatever its last chunk is.
 */
export async function* readChunks(
  chunks: AsyncIterable<ChatChunk>,
  reading: Reading,
): AsyncGenerator<TextEvent, void, undefined> {
  const answer = new StreamedAnswer(reading)
  for await (const chunk of chunks) for (const event of answer.read(chunk)) yield event
  for (const event of answer.end()) yield event
}

type TextType = 'text' | 'reasoning' | 'refusal'

/** The answer of one stream, of which one text at most is open. Its tool calls are open until its end. */
class StreamedAnswer {
  readonly #reading: Reading
  readonly #details: ReturnType<typeof reasoningDetails>
  readonly #calls: ToolCallStream
  #events: TextEvent[] = []
  #parts = 0
  #callCount = 0
  #openType: TextType | undefined
  #openIndex = -1
  #isStarted = false
  #facts: ResponseFacts = {}
  /** The fields of chunks that core does not interpret, the last of each name. */
  #native: JsonObject = {}
  /** Those of choices before the first part. */
  #nativeChoice: JsonObject = {}
  #logprobs: JsonObject | undefined
  #reason: string | undefined
  #stopSequence: string | undefined
  #counts: Counts
  #textLength = 0
  #reasoningLength = 0
  #hasRefused = false

  constructor(reading: Reading) {
    this.#reading = reading
    this.#details = reasoningDetails(reading.provider)
    this.#calls = new ToolCallStream(reading)
  }

  /** The events of a chunk. */
  read(chunk: ChatChunk): readonly TextEvent[] {
    this.#events = []
    this.#readHead(chunk)
    const [choice] = chunk.choices
    this.#reason = choice?.finish_reason ?? this.#reason
    this.#stopSequence = (choice && readStopSequence(choice)) ?? this.#stopSequence
    this.#readCounts(chunk)
    if (choice) this.#readChoice(choice)
    // After the finish reason, only the token counts follow.
    if (this.#events.length === 0 && this.#reason === undefined) this.#events.push({ type: 'alive' })
    return this.#events
  }

  /** The last events, once the stream has ended. */
  end(): readonly TextEvent[] {
    this.#events = []
    const { warnings, tier, isNative } = this.#reading
    const reason = this.#reason
    if (reason === undefined) throw new ProviderError('retry', 'the stream ended without a finish reason')
    this.#close()
    this.#addDetails()
    this.#events.push(...this.#calls.end(isCutOff(reason)))
    const finishReason = readFinishReason(reason, this.#callCount, this.#hasRefused)
    const usage = withTier(readUsage(this.#counts, isNative), this.#facts.serviceTier, tier)
    const end = {
      finishReason,
      stopSequence: this.#stopSequence,
      usage,
      textLength: this.#textLength,
      reasoningLength: this.#reasoningLength,
    }
    const response = this.#response()
    this.#events.push({
      type: 'finish',
      ...toFinish(end, warnings),
      ...(response && { response }),
      ...(this.#logprobs && { logprobs: this.#logprobs }),
    })
    return this.#events
  }

  #readHead(chunk: ChatChunk): void {
    // Every chunk repeats the head: its facts are read until the stream starts, and its tier may come later.
    if (this.#isStarted) {
      const { service_tier: serviceTier } = chunk
      if (serviceTier && serviceTier !== this.#facts.serviceTier) this.#facts = { ...this.#facts, serviceTier }
    } else this.#facts = { ...this.#facts, ...readFacts(chunk) }
    if (this.#reading.isNative) this.#native = { ...this.#native, ...without(nativeOfHead(chunk), ['obfuscation']) }
    // Azure's first chunk has the results of its filter, and no id.
    if (this.#isStarted || chunk.choices.length === 0) return
    this.#isStarted = true
    const response = this.#response()
    if (response) this.#events.push({ type: 'start', response })
  }

  #response(): ResponseFacts | undefined {
    const { isNative } = this.#reading
    const hasChoice = Object.keys(this.#nativeChoice).length > 0
    const native = { ...this.#native, ...(hasChoice && { choices: [this.#nativeChoice] }) }
    const response = { ...this.#facts, ...(isNative && { native: { 'openai-chat': native } }) }
    return Object.keys(response).length > 0 ? response : undefined
  }

  #readCounts({ usage, x_groq }: ChatChunk): void {
    const early = this.#counts || this.#reason !== undefined ? undefined : readUsage(usage, this.#reading.isNative)
    if (early) this.#events.push({ type: 'usage', usage: early })
    this.#counts = usage ?? x_groq?.usage ?? this.#counts
  }

  #readChoice(choice: ChatChoice): void {
    const { delta, logprobs } = choice
    if (delta) this.#readDelta(delta)
    if (logprobs) this.#addLogprobs(logprobs)
    if (this.#reading.isNative) this.#addNative(choice, delta)
  }

  #readDelta(delta: ChatMessage): void {
    const thought = reasoningOf(delta)
    const { text, others } = delta.content
    this.#textLength += text.length
    this.#reasoningLength += thought.length
    if (thought !== '') this.#addText('reasoning', thought)
    this.#details.add(delta.reasoning_details)
    if (text !== '') this.#addText('text', text)
    for (const citation of citationsIn(delta, this.#reading.isNative) ?? []) {
      this.#events.push({ type: 'part_delta', index: this.#open('text'), citation })
    }
    for (const block of others) {
      this.#close()
      const index = this.#nextPart()
      this.#events.push({ type: 'part_start', index, part: opaquePart(block, this.#reading.provider) })
      this.#events.push({ type: 'part_end', index })
    }
    if (delta.refusal) {
      this.#hasRefused = true
      this.#addText('refusal', delta.refusal)
    }
    for (const call of delta.tool_calls ?? []) this.#addCall(call)
  }

  #addText(type: TextType, text: string): void {
    this.#events.push({ type: 'part_delta', index: this.#open(type), text })
  }

  /** The index of the open text of a type. */
  #open(type: TextType): number {
    if (this.#openType === type) return this.#openIndex
    this.#close()
    // They complete the reasoning, so they must come before what follows it.
    if (type !== 'reasoning') this.#addDetails()
    this.#openIndex = this.#nextPart()
    this.#openType = type
    this.#events.push({ type: 'part_start', index: this.#openIndex, part: { type, text: '' } })
    return this.#openIndex
  }

  #close(): void {
    if (this.#openType === undefined) return
    const providerOptions = this.#openType === 'reasoning' ? this.#details.take() : undefined
    this.#openType = undefined
    this.#events.push({ type: 'part_end', index: this.#openIndex, ...(providerOptions && { providerOptions }) })
  }

  /** Reasoning that is encrypted has details alone. */
  #addDetails(): void {
    const providerOptions = this.#details.take()
    if (!providerOptions) return
    const index = this.#nextPart()
    this.#events.push({ type: 'part_start', index, part: { type: 'reasoning', text: '', providerOptions } })
    this.#events.push({ type: 'part_end', index })
  }

  #addCall(call: ToolCallDelta): void {
    const events = this.#calls.add(call, () => {
      this.#close()
      this.#addDetails()
      this.#callCount += 1
      return this.#nextPart()
    })
    this.#events.push(...events)
  }

  #addLogprobs(logprobs: JsonObject): void {
    this.#logprobs = joinLogprobs(this.#logprobs, logprobs)
    if (this.#openType !== undefined) this.#events.push({ type: 'part_delta', index: this.#openIndex, logprobs })
  }

  /** Fields of the choice and of its message that core does not interpret. */
  #addNative(choice: ChatChoice, delta: ChatMessage | null | undefined): void {
    const inDelta = delta && without(nativeOfMessage(delta), ['annotations'])
    const data = filled({ ...nativeOfChoice(choice), delta: inDelta && filled(inDelta) })
    if (!data) return
    if (this.#openType === undefined) this.#nativeChoice = { ...this.#nativeChoice, ...data }
    else this.#events.push({ type: 'part_delta', index: this.#openIndex, data })
  }

  #nextPart(): number {
    return this.#parts++
  }
}

/** Each chunk has the probabilities of its own tokens. */
function joinLogprobs(first: JsonObject | undefined, next: JsonObject): JsonObject {
  if (!first) return next
  const joined = Object.entries(next).map(([name, value]) => {
    const before = first[name]
    return [
      name,
      Array.isArray(before) && Array.isArray(value)
        ? [...(before as unknown[]), ...(value as unknown[])]
        : (value ?? before),
    ]
  })
  return { ...first, ...(Object.fromEntries(joined) as JsonObject) }
}
