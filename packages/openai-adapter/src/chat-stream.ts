import type { Failure } from '@fairlead/core'
import type { AnswerPart, JsonObject, PartEnd, ResponseFacts, TextAnswer, TextDelta } from '@fairlead/core/provider'
import { AnswerWriter, eventText, isObject, listAt, type NativeEvent } from '@fairlead/http'
import { callsFunction, type HeadFacts, toAnnotation, toCall, toFinishReason, toHead, toUsage } from './chat-reply.ts'
import { textIn } from './custom-tools.ts'
import { toErrorBody } from './errors.ts'
import { toExtraContent, toReasoningDetails } from './provider-data.ts'

export interface StreamFacts extends HeadFacts {
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
  /** Of a call with text, whether that is known only when all of its JSON is. */
  readonly isHeld: boolean
  /** Of a text: where it begins among the texts. */
  readonly from: number
  /** Whether nothing of its text came yet. */
  isEmpty: boolean
}

/** Writes the events of one stream of a chat completion. A stream that fails ends with an error, without `[DONE]`. */
export class ChunkWriter extends AnswerWriter<OpenPart> {
  readonly #facts: StreamFacts
  /** Of every chunk: what stands before its choices, in a choice behind its delta, and behind the choices. */
  #head: string
  #middle = ''
  #end = ']}\n\n'
  #calls = 0
  /** In characters, of the texts so far. */
  #length = 0
  #hasBegun = false
  #hasLogprobs = false
  #callsFunction = false

  constructor(facts: StreamFacts) {
    super()
    this.#facts = facts
    this.#head = this.#headOf({})
  }

  protected start(response: ResponseFacts): void {
    this.#head = this.#headOf(response)
    if (!response.native?.['openai-chat']) return
    this.#middle = '"logprobs":null,'
    if (this.#facts.includeUsage) this.#end = '],"usage":null}\n\n'
  }

  #headOf(response: ResponseFacts): string {
    return `data: ${JSON.stringify(toHead('chat.completion.chunk', this.#facts, response)).slice(0, -1)},"choices":[`
  }

  /** Nearly all events are pieces of text. */
  protected extend(open: OpenPart, { text = '', logprobs, data, citation }: TextDelta): void {
    open.isEmpty &&= text === ''
    if (open.isHeld) return
    if (open.part.type === 'text') this.#length += text.length
    if (open.part.type === 'text' && this.#hasBegun && !logprobs && !data && !citation) {
      this.text = `${this.#head}{"index":0,"delta":{"content":${JSON.stringify(text)}},${this.#middle}"finish_reason":null}${this.#end}`
      return
    }
    const { delta: further, ...choice } = data ?? {}
    this.#hasLogprobs ||= logprobs !== undefined
    const said = text === '' ? {} : toDelta(open, text)
    const annotations = citation && [toAnnotation(citation, open.from, this.#length)]
    const delta = { ...said, ...(annotations && { annotations }), ...(further as JsonObject) }
    this.#send(delta, { ...(logprobs && { logprobs }), ...choice })
  }

  /** Other choices, and what the first says beside its parts. */
  protected override addNative({ dialect, data }: NativeEvent): void {
    if (dialect !== 'openai-chat') return
    for (const choice of listAt(data['choices'], 'choices').filter(isObject)) {
      const { index, delta, ...facts } = choice
      if (index !== 0) this.text += `${this.#head}${JSON.stringify(choice)}${this.#end}`
      else {
        this.#callsFunction ||= callsFunction(delta)
        this.#send(isObject(delta) ? delta : {}, facts)
      }
    }
  }

  /** The first chunk of a call names it. */
  protected startPart(part: AnswerPart): OpenPart {
    if (part.type !== 'tool_call') {
      const open = { part, call: 0, isCustom: false, isHeld: false, from: this.#length, isEmpty: true }
      if (part.type === 'text') this.#length += part.text.length
      if ('text' in part && part.text !== '') this.#send(toDelta(open, part.text))
      return open
    }
    const { customTools } = this.#facts
    const isHeld = customTools.has(part.name) && !part.native?.['openai-chat']
    const called = toCall(part, isHeld ? '' : part.inputText, customTools)
    const index = this.#calls++
    this.#send({
      tool_calls: [{ index, ...called, ...toExtraContent(part.providerOptions), ...part.native?.['openai-chat'] }],
    })
    const isCustom = called.type === 'custom'
    return { part, call: index, isCustom, isHeld, from: this.#length, isEmpty: part.inputText === '' }
  }

  protected endPart(
    { part, call, isCustom, isHeld, isEmpty }: OpenPart,
    { part: whole, providerOptions, native }: PartEnd,
  ): void {
    if (part.type !== 'tool_call') return
    // Clients parse the arguments, also of a call without input. OpenAI says itself that it has none.
    const isBare = isEmpty && !isCustom && this.#middle === ''
    if (!isBare && !isHeld && !providerOptions && !native?.['openai-chat']) return
    const held = isHeld && { custom: { input: textIn('inputText' in whole ? whole.inputText : '') } }
    const input = isBare ? { function: { arguments: '{}' } } : held
    this.#send({
      tool_calls: [{ index: call, ...input, ...toExtraContent(providerOptions), ...native?.['openai-chat'] }],
    })
  }

  protected finish({ parts, finishReason, usage, logprobs, response }: TextAnswer): void {
    const signed = toReasoningDetails(parts.filter((part) => part.type === 'reasoning'))
    if (signed) this.#send(signed)
    // It may have got fields since its start, such as the sources of a search.
    if (response?.native?.['openai-chat']) this.#head = this.#headOf(response)
    // The deltas of an answer from the cache have none.
    this.#send(
      {},
      logprobs && !this.#hasLogprobs ? { logprobs } : {},
      this.#callsFunction ? 'function_call' : toFinishReason(finishReason),
    )
    if (this.#facts.includeUsage) this.text += `${this.#head}],"usage":${JSON.stringify(toUsage(usage))}}\n\n`
    this.text += done
  }

  protected fail(failure: Failure): void {
    this.text += eventText(JSON.stringify(toErrorBody(failure)))
  }

  #send(delta: JsonObject, choice: JsonObject = {}, finishReason: string | null = null): void {
    const content = 'tool_calls' in delta || 'refusal' in delta || 'function_call' in delta ? null : ''
    const isOwn = this.#middle !== ''
    const whole = this.#hasBegun ? delta : { role: 'assistant', content, ...(isOwn && { refusal: null }), ...delta }
    this.#hasBegun = true
    const facts = JSON.stringify({ ...(isOwn && { logprobs: null }), ...choice, finish_reason: finishReason })
    this.text += `${this.#head}{"index":0,"delta":${JSON.stringify(whole)},${facts.slice(1)}${this.#end}`
  }
}

/** A piece of a part. */
function toDelta({ part, call, isCustom }: OpenPart, text: string): JsonObject {
  switch (part.type) {
    case 'text':
      return { content: text }
    case 'reasoning':
      return { reasoning_content: text }
    case 'refusal':
      return { refusal: text }
    case 'tool_call': {
      const input = isCustom ? { custom: { input: text } } : { function: { arguments: text } }
      return { tool_calls: [{ index: call, ...input }] }
    }
    default:
      return {}
  }
}
