import {
  type AnswerPart,
  collectAnswer,
  type Issue,
  isObject,
  type JsonObject,
  PartWriter,
  type TextAnswer,
  type TextEvent,
  type AnswerUsage,
} from '@fairlead/core/provider'
import { type EventReader, hasGrown, mapEvents, newCallId } from '@fairlead/provider-toolkit'
import { readCitations, type ReadPart } from './citations.ts'
import { firstCandidate, readFinish, readResponse, readUsage } from './finish.ts'
import type { GenerateReply, GenerateRequest, WireCandidate, WirePart } from './wire.ts'

export interface Reading {
  /** The provider's id, for what the API needs back in the next request. */
  readonly id: string
  readonly body: Pick<GenerateRequest, 'serviceTier' | 'tools'>
  readonly warnings: readonly Issue[]
  /** The names of tools by those that were sent, if they were too long. */
  readonly toolNames?: ReadonlyMap<string, string> | undefined
}

/** A reply says the same as a stream of one event. */
export function textFromWire(reply: GenerateReply, reading: Reading): Promise<TextAnswer> {
  const answer = new StreamedAnswer(reading)
  return collectAnswer([...answer.read(reply), ...answer.end()])
}

/** The stream ends with the reply; it is complete if one of its events has a finish reason. */
export function textFromEvents(events: AsyncIterable<GenerateReply>, reading: Reading): AsyncIterable<TextEvent> {
  return mapEvents(events, new StreamedAnswer(reading))
}

/** The answer of one stream. */
class StreamedAnswer implements EventReader<GenerateReply, TextEvent> {
  readonly #reading: Reading
  readonly #parts: PartReader
  #reply: GenerateReply = {}
  /** The last counts that were reported before the end. */
  #reported: AnswerUsage | undefined

  constructor(reading: Reading) {
    this.#reading = reading
    this.#parts = new PartReader(reading)
  }

  read(event: GenerateReply): readonly TextEvent[] {
    const { responseId } = this.#reply
    const reply = joined(this.#reply, event)
    this.#reply = reply
    const isStart = responseId === undefined && reply.responseId !== undefined
    const usage = this.#growingUsage(reply)
    const parts = firstCandidate(event).content?.parts ?? []
    return [
      ...(isStart ? [{ type: 'start', response: { id: reply.responseId, model: reply.modelVersion } } as const] : []),
      ...(usage ? [{ type: 'usage', usage } as const] : []),
      ...(parts.length === 0 ? [{ type: 'alive' } as const] : []),
      ...parts.flatMap((part) => this.#parts.read(part)),
    ]
  }

  /** The counts so far, which every event repeats, if there are more. The last ones come with the end. */
  #growingUsage(reply: GenerateReply): AnswerUsage | undefined {
    const usage = readUsage(reply.usageMetadata, this.#reading.body.serviceTier)
    if (!usage || (this.#reported && firstCandidate(reply).finishReason) || !hasGrown(this.#reported, usage))
      return undefined
    this.#reported = usage
    return usage
  }

  end(): readonly TextEvent[] {
    const candidate = firstCandidate(this.#reply)
    const { logprobsResult: logprobs } = candidate
    const finish = readFinish(this.#reply, this.#parts.types(), this.#reading.body.serviceTier)
    return [
      ...this.#parts.end(candidate),
      {
        type: 'finish',
        ...finish,
        response: readResponse(this.#reply),
        ...(isObject(logprobs) && { logprobs }),
        warnings: [...this.#reading.warnings, ...finish.warnings],
      },
    ]
  }
}

/** The facts of a stream's events together, without their parts. */
function joined(reply: GenerateReply, event: GenerateReply): GenerateReply {
  const { content: _content, ...candidate } = firstCandidate(event)
  return { ...withLatest(reply, event), candidates: [withLatest(firstCandidate(reply), candidate)] }
}

/** Each event has the probabilities of its tokens alone. */
const ofTokens: ReadonlySet<string> = new Set(['chosenCandidates', 'topCandidates'])

function withLatest(earlier: JsonObject, latest: JsonObject): JsonObject {
  const values = Object.entries(latest).flatMap(([name, value]): [string, unknown][] => {
    const before = earlier[name]
    if (value === undefined) return []
    if (isObject(before) && isObject(value)) return [[name, withLatest(before, value)]]
    return [[name, ofTokens.has(name) && Array.isArray(before) ? before.concat(value) : value]]
  })
  return { ...earlier, ...Object.fromEntries(values) }
}

/** Reads one part after the other. */
class PartReader {
  /** By their index. */
  readonly #parts: ReadPart[] = []
  readonly #writer = new PartWriter()
  /** The ends of texts whose sources may follow with the last event. */
  readonly #ends: TextEvent[] = []
  readonly #id: string
  /** Whether the model has tools of Google's own, which name sources. */
  readonly #isGrounded: boolean
  readonly #toolNames: Reading['toolNames']

  constructor({ id, body: { tools = [] }, toolNames }: Reading) {
    this.#id = id
    this.#isGrounded = tools.some((tool) => Object.keys(tool).some((name) => name !== 'functionDeclarations'))
    this.#toolNames = toolNames
  }

  types(): ReadonlySet<AnswerPart['type']> {
    return new Set(this.#parts.map(({ type }) => type))
  }

  read(part: WirePart): readonly TextEvent[] {
    return this.#write(part).filter((event) => this.#note(event))
  }

  /** The sources of the texts, and the ends that wait for them. */
  end(candidate: Partial<WireCandidate>): readonly TextEvent[] {
    return [...readCitations(candidate, this.#parts), ...this.#ends, ...this.#writer.end()]
  }

  #write(part: WirePart): readonly TextEvent[] {
    const { text = '', thought = false, thoughtSignature, functionCall, inlineData, ...others } = part
    const [other] = Object.keys(others)
    const data = {
      ...(thoughtSignature !== undefined && { providerOptions: { [this.#id]: { thoughtSignature } } }),
      ...(other !== undefined && { native: { google: others } }),
    }
    const hasData = Object.keys(data).length > 0
    if (functionCall) {
      const { name: sent, args } = functionCall
      const name = this.#toolNames?.get(sent) ?? sent
      // Models before Gemini 3 send no id.
      const id = functionCall.id || newCallId()
      return this.#writer.add({ type: 'tool_call', id, name, inputText: JSON.stringify(args ?? {}), ...data })
    }
    if (inlineData && !thought) {
      return this.#writer.add({ type: 'file', mediaType: inlineData.mimeType, data: inlineData.data, ...data })
    }
    const kind = inlineData ? 'inlineData' : other
    if (kind !== undefined && part.text === undefined) {
      return this.#writer.add({ type: 'opaque', provider: this.#id, dialect: 'google', kind, data: part })
    }
    const type = thought ? 'reasoning' : 'text'
    // A part with a signature must come back by itself.
    if (hasData) return this.#writer.add({ type, text, ...data })
    return text === '' ? [] : this.#writer.say(type, text)
  }

  /** Returns false for an end that must wait. */
  #note(event: TextEvent): boolean {
    if (event.type === 'part_start') {
      const { part } = event
      this.#parts[event.index] = { type: part.type, text: 'text' in part ? part.text : '', isOpen: true }
    }
    const part = 'index' in event ? this.#parts[event.index] : undefined
    if (!part) return true
    if (event.type === 'part_delta') part.text += event.text ?? ''
    if (event.type !== 'part_end') return true
    part.isOpen = this.#isGrounded && part.type === 'text'
    if (part.isOpen) this.#ends.push(event)
    return !part.isOpen
  }
}
