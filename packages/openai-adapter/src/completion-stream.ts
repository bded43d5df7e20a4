import type { Failure } from '@fairlead/core'
import type { AnswerPart, JsonObject, ResponseFacts, TextAnswer, TextDelta } from '@fairlead/core/provider'
import { AnswerWriter, eventText, isObject, listAt, type NativeEvent } from '@fairlead/http'
import { type HeadFacts, toFinishReason, toHead, toUsage } from './chat-reply.ts'
import { toErrorBody } from './errors.ts'

export const completionDialect = 'openai-completions'

export interface CompletionFacts extends HeadFacts {
  /** Whether the last chunk has the usage. */
  readonly includeUsage: boolean
}

/** Writes the events of one streamed completion. Only texts have a place in it. */
export class CompletionWriter extends AnswerWriter<AnswerPart> {
  readonly #facts: CompletionFacts
  #head: JsonObject
  #hasLogprobs = false

  constructor(facts: CompletionFacts) {
    super()
    this.#facts = facts
    this.#head = this.#headOf({})
  }

  protected start(response: ResponseFacts): void {
    this.#head = this.#headOf(response)
  }

  #headOf(response: ResponseFacts): JsonObject {
    return toHead('text_completion', this.#facts, response, { dialect: completionDialect, prefix: 'cmpl-' })
  }

  protected startPart(part: AnswerPart): AnswerPart | undefined {
    if (part.type !== 'text') return undefined
    if (part.text !== '') this.#send(toChoice(part.text))
    return part
  }

  protected extend(_part: AnswerPart, { text = '', logprobs, data }: TextDelta): void {
    this.#hasLogprobs ||= logprobs !== undefined
    if (text !== '' || logprobs || data) this.#send({ ...toChoice(text, null, logprobs), ...withoutDelta(data) })
  }

  protected endPart(): void {}

  /** Other choices, as the upstream wrote them, and what the first has beside its text. */
  protected override addNative({ dialect, data }: NativeEvent): void {
    if (dialect !== completionDialect) return
    for (const choice of listAt(data['choices'], 'choices').filter(isObject)) {
      this.#send(choice['index'] === 0 ? { ...toChoice(''), ...withoutDelta(choice) } : choice)
    }
  }

  protected finish({ finishReason, usage, logprobs }: TextAnswer): void {
    // The deltas of an answer from the cache have none.
    this.#send(toChoice('', toFinishReason(finishReason), this.#hasLogprobs ? undefined : logprobs))
    if (this.#facts.includeUsage) this.#write({ choices: [], usage: toUsage(usage, completionDialect) })
    this.text += eventText('[DONE]')
  }

  protected fail(failure: Failure): void {
    this.text += eventText(JSON.stringify(toErrorBody(failure)))
  }

  #send(choice: JsonObject): void {
    this.#write({ choices: [choice] })
  }

  #write(fields: JsonObject): void {
    this.text += eventText(JSON.stringify({ ...this.#head, ...fields }))
  }
}

/** The first choice. */
export function toChoice(text: string, finishReason: string | null = null, logprobs: JsonObject | null = null) {
  return { index: 0, text, logprobs, finish_reason: finishReason }
}

function withoutDelta({ delta: _delta, ...fields }: JsonObject = {}): JsonObject {
  return fields
}
