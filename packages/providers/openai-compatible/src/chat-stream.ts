import {
  type AnswerPart,
  type JsonObject,
  ProviderError,
  type ResponseFacts,
  type TextEvent,
} from '@fairlead/core/provider'
import { type EventReader, mapEvents, requireAnswer, withOptions } from '@fairlead/provider-toolkit'
import {
  type ChatChoice,
  type ChatChunk,
  isCutOff,
  mayBeEmpty,
  opaquePart,
  plainTextIn,
  readEnding,
  readMessage,
  readStopSequence,
  reasonIn,
  uninterpreted,
} from './chat-reply.ts'
import { toCitation } from './citations.ts'
import { readFacts, type Reading, toFinish, usageIn } from './finish.ts'
import { ReasoningDetails } from './reasoning-details.ts'
import { filled, objectIn, textIn, without } from './sent-values.ts'
import { StreamedUsage } from './streamed-usage.ts'
import { type ToolCallDelta, ToolCallStream } from './tool-calls.ts'

/** Stands for the end mark of a stream. */
export const endOfChunks: ChatChunk = { choices: [] }

/**
 * The events of a streamed chat completion. The finish reason arrives before the token counts. A stream without a finish
 * reason was cut off, unless it has an answer and the end mark: some servers send no reason.
 */
export function readChunks(chunks: AsyncIterable<ChatChunk>, reading: Reading): AsyncIterable<TextEvent> {
  return mapEvents(chunks, new StreamedAnswer(reading))
}

/** A request may ask for several answers: the others are for clients of the API alone. */
function isFirst({ index = 0 }: JsonObject): boolean {
  return index === 0
}

type TextType = 'text' | 'reasoning' | 'refusal'

/** The answer of one stream, of which one text at most is open. Its tool calls are open until its end. */
class StreamedAnswer implements EventReader<ChatChunk, TextEvent> {
  readonly #reading: Reading
  readonly #details: ReasoningDetails
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
  #logprobs: JsonObject | undefined
  #reason: string | undefined
  #hasEndMark = false
  #stopSequence: string | undefined
  readonly #usage = new StreamedUsage()
  /** Whether the client got pieces of an answer that belong to no part. */
  #saysMore: boolean
  #textLength = 0
  #reasoningLength = 0
  #hasRefused = false

  constructor(reading: Reading) {
    this.#reading = reading
    this.#saysMore = mayBeEmpty(reading.native)
    this.#details = new ReasoningDetails(reading.provider)
    this.#calls = new ToolCallStream(reading)
  }

  /** The events of a chunk. */
  read(chunk: ChatChunk): readonly TextEvent[] {
    this.#events = []
    if (chunk === endOfChunks) {
      this.#hasEndMark = true
      return this.#events
    }
    this.#readHead(chunk)
    const choice = chunk.choices.find(isFirst)
    this.#reason = (choice && reasonIn(choice)) ?? this.#reason
    this.#stopSequence = (choice && readStopSequence(choice)) ?? this.#stopSequence
    this.#readCounts(chunk)
    if (choice) this.#readChoice(choice)
    if (this.#reading.native && chunk.choices.length > (choice ? 1 : 0)) {
      this.#addChoices(chunk.choices.filter((each) => !isFirst(each)))
    }
    // After the finish reason, only the token counts follow.
    if (this.#events.length === 0 && this.#reason === undefined) this.#events.push({ type: 'alive' })
    return this.#events
  }

  /** The last events, once the stream has ended. */
  end(): readonly TextEvent[] {
    this.#events = []
    const reason = this.#reason
    if (reason === undefined && !(this.#hasEndMark && this.#parts > 0)) {
      throw new ProviderError('retry', 'the stream ended without a finish reason (choices.0.finish_reason)')
    }
    this.#close()
    this.#addDetails()
    this.#events.push(...this.#calls.end(isCutOff(reason)))
    const end = {
      ...readEnding(reason, this.#callCount, this.#hasRefused, () => this.#calls.hasUnreadable()),
      stopSequence: this.#stopSequence,
      counted: this.#usage.total(this.#textLength + this.#reasoningLength),
      tier: this.#facts.serviceTier,
      textLength: this.#textLength,
      reasoningLength: this.#reasoningLength,
    }
    const response = this.#response()
    const finish = toFinish(end, this.#reading)
    requireAnswer(this.#saysMore ? 1 : this.#parts, finish, 'choices.0.delta.content')
    this.#events.push({
      type: 'finish',
      ...finish,
      ...(response && { response }),
      ...(this.#logprobs && { logprobs: this.#logprobs }),
    })
    return this.#events
  }

  #readHead(chunk: ChatChunk): void {
    // Every chunk repeats the head: its facts are read until the stream starts, and its tier may come later.
    if (this.#isStarted) {
      const serviceTier = textIn((chunk as JsonObject)['service_tier'])
      if (serviceTier && serviceTier !== this.#facts.serviceTier) this.#facts = { ...this.#facts, serviceTier }
    } else this.#facts = { ...this.#facts, ...readFacts(chunk) }
    if (this.#reading.native) {
      this.#native = { ...this.#native, ...without(uninterpreted('head', chunk), ['obfuscation']) }
    }
    // Azure's first chunk has the results of its filter, and no id.
    if (this.#isStarted || chunk.choices.length === 0) return
    this.#isStarted = true
    const response = this.#response()
    if (response) this.#events.push({ type: 'start', response })
  }

  #response(): ResponseFacts | undefined {
    const { native } = this.#reading
    const response = { ...this.#facts, ...(native && { native: { [native]: this.#native } }) }
    return Object.keys(response).length > 0 ? response : undefined
  }

  #readCounts(chunk: ChatChunk): void {
    const counted = usageIn(chunk, this.#reading.native)
    const usage = counted && this.#usage.add(counted)
    if (usage && this.#reason === undefined) this.#events.push({ type: 'usage', usage })
  }

  #readChoice(choice: ChatChoice): void {
    const { delta } = choice
    if (delta) this.#readDelta(delta)
    const logprobs = objectIn((choice as JsonObject)['logprobs'])
    if (logprobs) this.#addLogprobs(logprobs)
    if (this.#reading.native) this.#addNative(choice)
  }

  #readDelta(delta: NonNullable<ChatChoice['delta']>): void {
    const plain = plainTextIn(delta)
    if (plain !== undefined) return this.#addPlain(plain)
    const { text, thought, others, refusal, annotations, details, calls } = readMessage(delta)
    this.#reasoningLength += thought.length
    if (thought !== '') this.#addText('reasoning', thought)
    this.#details.add(details)
    this.#addPlain(text)
    for (const annotation of annotations) {
      const citation = toCitation(annotation, this.#reading)
      this.#events.push({ type: 'part_delta', index: this.#open('text'), citation })
    }
    for (const block of others) {
      this.#close()
      this.#addPart(opaquePart(block, this.#reading.provider))
    }
    if (refusal !== '') {
      this.#hasRefused = true
      this.#addText('refusal', refusal)
    }
    for (const call of calls) this.#addCall(call)
  }

  #addPlain(text: string): void {
    this.#textLength += text.length
    if (text !== '') this.#addText('text', text)
  }

  #addText(type: TextType, text: string): void {
    const delta: TextEvent = { type: 'part_delta', index: this.#open(type), text }
    // An array that grows takes room for 17 events.
    if (this.#events.length === 0) this.#events = [delta]
    else this.#events.push(delta)
  }

  /** The index of the open text of a type. */
  #open(type: TextType): number {
    if (this.#openType === type) return this.#openIndex
    this.#close()
    // They complete the reasoning, so they must come before what follows it.
    if (type !== 'reasoning') this.#addDetails()
    this.#openIndex = this.#parts++
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
    if (providerOptions) this.#addPart({ type: 'reasoning', text: '', providerOptions })
  }

  #addPart(part: AnswerPart): void {
    const index = this.#parts++
    this.#events.push({ type: 'part_start', index, part }, { type: 'part_end', index })
  }

  #addCall(call: ToolCallDelta): void {
    const events = this.#calls.add(call, () => {
      this.#close()
      this.#addDetails()
      this.#callCount += 1
      return this.#parts++
    })
    this.#events.push(...events)
  }

  /** Choices, or what they say beside their parts, as clients of the API get them. */
  #addChoices(choices: readonly JsonObject[]): void {
    const isAnswer = choices.some(
      ({ delta, text }) =>
        textIn(text) || Object.keys(filled(objectIn(delta) ?? {}) ?? {}).some((name) => name !== 'role'),
    )
    this.#saysMore ||= isAnswer
    const dialect = this.#reading.native ?? 'openai-chat'
    this.#events.push({ type: 'native', dialect, data: { choices }, ...(isAnswer && { isAnswer }) })
  }

  #addLogprobs(logprobs: JsonObject): void {
    // Each chunk has only the probabilities of its tokens.
    this.#logprobs = this.#logprobs ? withOptions(this.#logprobs, filled(logprobs)) : logprobs
    if (this.#openType !== undefined) this.#events.push({ type: 'part_delta', index: this.#openIndex, logprobs })
  }

  /** Fields of the choice and of its message that core does not interpret. */
  #addNative(choice: ChatChoice): void {
    const inDelta = choice.delta && without(uninterpreted('message', choice.delta), ['annotations'])
    const data = filled({ ...uninterpreted('choice', choice), delta: inDelta && filled(inDelta) })
    if (!data) return
    if (this.#openType === undefined) this.#addChoices([{ index: 0, ...data }])
    else this.#events.push({ type: 'part_delta', index: this.#openIndex, data })
  }
}
