import type { WithAnswer } from '@fairlead/core'
import type {
  AnswerPart,
  JsonObject,
  PartEvent,
  ProviderOptions,
  ResponseFacts,
  TextAnswer,
  TextDelta,
  TextEvent,
} from '@fairlead/core/provider'
import type { Generation } from '@fairlead/core/types'
import { eventText, type ResultEvent } from '@fairlead/http'
import { answerOf, completionId, toAnnotation, toCall, toFinishReason, toUsage } from './chat-reply.ts'
import { toErrorBody } from './errors.ts'
import { toExtraContent, toReasoningDetail } from './provider-data.ts'

export interface StreamFacts {
  readonly requestId: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** As the client named it. */
  readonly model: unknown
  /** Whether the last chunk has the usage. */
  readonly includeUsage: boolean
  /** The names of custom tools, whose input is text. */
  readonly customTools: ReadonlySet<string>
}

const done = eventText('[DONE]')

/** A part that has not ended. */
interface OpenPart {
  readonly part: AnswerPart
  /** Of a tool call: its index among the calls. */
  readonly call: number
  /** Of a tool call: whether its input is text. */
  readonly isCustom: boolean
  /** Whether nothing of its text came yet. */
  isEmpty: boolean
}

/** Writes the events of one stream of a chat completion. A stream that fails ends with an error, without `[DONE]`. */
export class ChunkWriter {
  readonly #facts: StreamFacts
  readonly #parts = new Map<number, OpenPart>()
  /** Of every chunk: what stands before its choices, in a choice behind its delta, and behind the choices. */
  #head: string
  #middle = ''
  #end = ']}\n\n'
  #calls = 0
  #hasBegun = false
  #hasLogprobs = false

  constructor(facts: StreamFacts) {
    this.#facts = facts
    this.#head = this.#headOf({})
  }

  /** The server-sent events for an event of core. */
  write(event: ResultEvent): string {
    if (event.type === 'chunk') return this.#writeEvent(event.chunk as TextEvent)
    if (event.type === 'error') return eventText(JSON.stringify(toErrorBody(event.reply)))
    return this.#finish(answerOf(event.reply.data as Generation & WithAnswer))
  }

  #writeEvent(event: TextEvent): string {
    switch (event.type) {
      case 'part_delta':
        return this.#writeDelta(event)
      case 'part_start':
        return this.#writeStart(event)
      case 'part_end':
        return this.#writeEnd(event)
      case 'start':
        this.#start(event.response)
        return ''
      default:
        return ''
    }
  }

  /** An answer of OpenAI names itself, and has its own fields in every chunk. */
  #start(response: ResponseFacts): void {
    this.#head = this.#headOf(response)
    if (!response.native?.['openai-chat']) return
    this.#middle = '"logprobs":null,'
    if (this.#facts.includeUsage) this.#end = '],"usage":null}\n\n'
  }

  #headOf({ id, model: snapshot, serviceTier, fingerprint, native }: ResponseFacts): string {
    const { requestId, at, model } = this.#facts
    const own = native?.['openai-chat']
    const { choices: _choices, ...fields } = own ?? {}
    const facts = {
      id: (own && id) ?? completionId('chatcmpl', requestId),
      object: 'chat.completion.chunk',
      created: Math.floor(at / 1000),
      model: (own && snapshot) ?? model,
      ...(serviceTier !== undefined && { service_tier: serviceTier }),
      ...(fingerprint !== undefined && { system_fingerprint: fingerprint }),
      ...fields,
    }
    return `data: ${JSON.stringify(facts).slice(0, -1)},"choices":[`
  }

  /** Nearly all events are pieces of text. */
  #writeDelta(event: TextDelta): string {
    const open = this.#parts.get(event.index)
    if (!open) return ''
    const { text = '', logprobs, data, citation } = event
    open.isEmpty &&= text === ''
    if (open.part.type === 'text' && this.#hasBegun && !logprobs && !data && !citation) {
      return `${this.#head}{"index":0,"delta":{"content":${JSON.stringify(text)}},${this.#middle}"finish_reason":null}${this.#end}`
    }
    const { delta: further, ...choice } = data ?? {}
    this.#hasLogprobs ||= logprobs !== undefined
    const said = text === '' ? {} : deltaOf(open, text)
    const delta = { ...said, ...(citation && { annotations: [toAnnotation(citation)] }), ...(further as JsonObject) }
    return this.#chunk(delta, { ...(logprobs && { logprobs }), ...choice })
  }

  /** The first chunk of a call names it. */
  #writeStart({ index, part }: Extract<PartEvent, { readonly type: 'part_start' }>): string {
    const called = part.type === 'tool_call' ? toCall(part, part.inputText, this.#facts.customTools) : undefined
    const open = { part, call: this.#calls, isCustom: called?.type === 'custom', isEmpty: true }
    this.#parts.set(index, open)
    if (part.type !== 'tool_call')
      return 'text' in part && part.text !== '' ? this.#chunk(deltaOf(open, part.text)) : ''
    this.#calls += 1
    const call = {
      index: open.call,
      ...called,
      ...toExtraContent(part.providerOptions),
      ...part.native?.['openai-chat'],
    }
    open.isEmpty = part.inputText === ''
    return this.#chunk({ tool_calls: [call] })
  }

  #writeEnd({ index, providerOptions, native }: Extract<PartEvent, { readonly type: 'part_end' }>): string {
    const open = this.#parts.get(index)
    this.#parts.delete(index)
    if (open?.part.type !== 'tool_call') return ''
    // Clients parse the arguments, also those of a call without input.
    const called = open.isEmpty && !open.isCustom ? deltaOf(open, '{}') : undefined
    const data = endData(providerOptions, native?.['openai-chat'])
    if (!called && !data) return ''
    return this.#chunk({ tool_calls: [{ index: open.call, ...called?.tool_calls?.[0], ...data }] })
  }

  #finish(answer: TextAnswer): string {
    const { parts, finishReason, usage, logprobs, response } = answer
    const thoughts = parts.filter((part) => part.type === 'reasoning')
    const isSigned = thoughts.some(({ providerOptions }) => providerOptions)
    const signed = isSigned ? this.#chunk({ reasoning_details: thoughts.map(toReasoningDetail) }) : ''
    // The deltas of an answer from the cache have none.
    const late = logprobs && !this.#hasLogprobs ? { logprobs } : {}
    // It may have got fields since its start, such as the sources of a search.
    if (response?.native?.['openai-chat']) this.#head = this.#headOf(response)
    const finish = this.#chunk({}, late, toFinishReason(finishReason))
    const last = this.#facts.includeUsage ? `${this.#head}],"usage":${JSON.stringify(toUsage(usage))}}\n\n` : ''
    return signed + finish + last + done
  }

  #chunk(delta: JsonObject, choice: JsonObject = {}, finishReason: string | null = null): string {
    const content = 'tool_calls' in delta || 'refusal' in delta ? null : ''
    const isOwn = this.#middle !== ''
    const whole = this.#hasBegun ? delta : { role: 'assistant', content, ...(isOwn && { refusal: null }), ...delta }
    this.#hasBegun = true
    const facts = JSON.stringify({
      ...(isOwn && { logprobs: null }),
      ...choice,
      finish_reason: finishReason,
    })
    return `${this.#head}{"index":0,"delta":${JSON.stringify(whole)},${facts.slice(1)}${this.#end}`
  }
}

/** A piece of a part. */
function deltaOf(
  { part, call, isCustom }: OpenPart,
  text: string,
): JsonObject & { readonly tool_calls?: readonly JsonObject[] } {
  switch (part.type) {
    case 'text':
      return { content: text }
    case 'reasoning':
      return { reasoning_content: text }
    case 'refusal':
      return { refusal: text }
    case 'tool_call':
      return {
        tool_calls: [{ index: call, ...(isCustom ? { custom: { input: text } } : { function: { arguments: text } }) }],
      }
    default:
      return {}
  }
}

function endData(providerOptions: ProviderOptions | undefined, native: JsonObject | undefined): JsonObject | undefined {
  if (!providerOptions && !native) return undefined
  return { ...toExtraContent(providerOptions), ...native }
}
