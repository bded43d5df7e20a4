import type { z } from 'zod'
import type { Provider, ProviderCall, TextRequest, TokenUsage } from '../../ports/provider.ts'
import { ProviderError } from '../../values/provider-error.ts'
import { letGo } from '../routing/let-go.ts'
import { ContractViolation } from './contract-violation.ts'
import { providerAnswers, readAnswer } from './provider-answers.ts'

/** A provider's answer, checked, with its token counts known or estimated. */
export type CheckedText = Omit<z.output<typeof providerAnswers.text>, 'usage'> & { readonly usage: TokenUsage }
export type TextEvent = z.output<typeof providerAnswers.textEvent>
export type Finish = Extract<TextEvent, { type: 'finish' }>

/** The whole answer, from whichever of the two text methods the provider has. */
export async function askForText(provider: Provider, request: TextRequest, call: ProviderCall): Promise<CheckedText> {
  if (provider.generateText) {
    const answer = readAnswer(providerAnswers.text, await provider.generateText(request, call))
    return withUsage(request, answer.content, answer)
  }
  let content = ''
  for await (const event of textEvents(provider, request, call)) {
    if (event.type === 'finish') return withUsage(request, content, { ...event, content: content.toWellFormed() })
    content += event.text
  }
  throw truncated()
}

/** The answer as it comes; whole, as one event, where the provider can't stream. An end without `finish` is a failure. */
export async function* textEvents(
  provider: Provider,
  request: TextRequest,
  call: ProviderCall,
): AsyncGenerator<TextEvent, void, undefined> {
  if (!provider.streamText) {
    const { content, ...finish } = await wholeText(provider, request, call)
    yield { type: 'text', text: content }
    yield { type: 'finish', ...finish }
    return
  }
  const items = provider.streamText(request, call)[Symbol.asyncIterator]()
  const maxLength = Math.max(minStreamLength, request.maxTokens * maxCharactersPerToken)
  let length = 0
  let next = await items.next()
  try {
    for (let count = 1; !next.done; next = await items.next(), count++) {
      if (count % eventsPerTurn === 0) await nextTurn()
      // Nobody waits for the rest, and the provider may be closed.
      call.signal.throwIfAborted()
      // What this version doesn't know may stand between the events that it knows.
      if (!isKnownEvent(next.value)) continue
      const event = readAnswer(providerAnswers.textEvent, next.value)
      yield event
      if (event.type === 'finish') return
      length += event.text.length
      if (length > maxLength) throw new ContractViolation(`the stream has more than ${maxLength} characters`)
    }
  } finally {
    if (!next.done) letGo(items)
  }
  throw truncated()
}

/**
 * What was streamed is kept for the whole answer, also while its reader reads nothing: a stream ends where it cannot be
 * the tokens that were asked for. Few tokens are as long as this; and some servers count only a part of what they send.
 */
const maxCharactersPerToken = 32
const minStreamLength = 100_000
/** A stream that never really waits would keep timers, and so its own deadline, from ever running. */
const eventsPerTurn = 64

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

async function wholeText(provider: Provider, request: TextRequest, call: ProviderCall) {
  if (!provider.generateText) {
    throw new ProviderError('give_up', `${provider.id} lists text models and makes no text`)
  }
  return readAnswer(providerAnswers.text, await provider.generateText(request, call))
}

function isKnownEvent(raw: unknown): boolean {
  const type = typeof raw === 'object' && raw !== null && 'type' in raw ? raw.type : undefined
  return typeof type !== 'string' || type === 'text' || type === 'finish'
}

function truncated(): ProviderError {
  return new ProviderError('retry', 'the stream ended before its finish')
}

/** English text has about so many characters a token. */
const charactersPerToken = 4

/** Fills in token counts that the provider did not tell, and says that they are estimates. */
export function withUsage<
  Answer extends Omit<CheckedText, 'usage' | 'content'> & { readonly usage?: TokenUsage | undefined },
>({ prompt }: TextRequest, content: string, answer: Answer): Answer & { readonly usage: TokenUsage } {
  if (answer.usage) return { ...answer, usage: answer.usage }
  const estimate = (text: string) => Math.ceil(text.length / charactersPerToken)
  return {
    ...answer,
    usage: { promptTokens: estimate(prompt), completionTokens: estimate(content) },
    warnings: [
      ...answer.warnings,
      { field: null, issue: 'the provider counted no tokens: usage and cost are estimates' },
    ],
  }
}
