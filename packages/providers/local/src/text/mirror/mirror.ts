import type { Issue, Message, ProviderCall, TextRequest, AnswerUsage } from '@fairlead/core/provider'
import { capWarnings } from '../../cap-warnings.ts'
import { unusedOptions } from '../../unused-options.ts'
import type { Delay } from '../delay.ts'
import { wholeText } from '../message-text.ts'
import type { Tokenizer } from '../tokens/tokenizer.ts'
import { type Composed, compose } from './compose.ts'
import { type Exchange, readExchange } from './read-exchange.ts'
import { type FailureCounts, failureCounts } from './failure-counts.ts'
import { type Failure, type Script, readScript } from './read-script.ts'
import { type CutSections, cutSections } from './sections.ts'

/** The mirror's answer after its delay. */
export interface Reflection extends CutSections {
  readonly script: Script
  /** How the answer fails. */
  readonly failure: Failure | undefined
  readonly usage: AnswerUsage
  readonly warnings: readonly Issue[]
}

export type Reflect = (request: TextRequest, call: ProviderCall, tokenizer: Tokenizer) => Promise<Reflection>

/** The answer to a conversation. */
export interface Turn {
  readonly exchange: Exchange
  readonly script: Script
  /** The last user message without its script. */
  readonly rest: string
  /** Lines of the script that mean nothing, as they were written. */
  readonly unread: readonly string[]
}

/** Reads the script of the last user message. */
export function scriptedTurn(messages: readonly Message[]): Turn {
  const exchange = readExchange(messages)
  const { turns, rest, unread } = readScript(exchange.text)
  return { exchange, script: turns[exchange.turn] ?? {}, rest, unread }
}

export type ChooseTurn = (request: TextRequest, call: ProviderCall) => Promise<Turn>

/**
 * Makes a mirror; each has its own count of failures.
 *
 * @param choose decides what to answer. Default: what the script in the last user message says.
 */
export function mirror(delay: Delay, choose: ChooseTurn = async ({ messages }) => scriptedTurn(messages)): Reflect {
  const counts = failureCounts()
  return async (request, call, tokenizer) => {
    const { exchange, script, rest, unread } = await choose(request, call)
    const { signal } = call
    const failure = failsNow(script, `${exchange.turn} ${exchange.text}`, counts)
    if (script.delayMs) await delay(script.delayMs, signal)
    signal.throwIfAborted()
    const answer = compose(script, rest, exchange, request)
    const cut = cutSections(answer, script, request, tokenizer)
    const { completionTokens, reasoningTokens } = cut
    const usage = {
      promptTokens: await tokenizer.count(countedText(request)),
      completionTokens,
      ...(answer.reasoning !== undefined && { reasoningTokens }),
    }
    return { ...cut, script, failure, usage, warnings: warnings(request, unread, answer, script) }
  }
}

function failsNow({ fail, failTimes }: Script, key: string, counts: FailureCounts): Failure | undefined {
  return fail && (failTimes === undefined || counts.failsNow(key, failTimes)) ? fail : undefined
}

function countedText({ messages, tools }: TextRequest): string {
  return wholeText(messages) + (tools?.length ? `\n${JSON.stringify(tools)}` : '')
}

function warnings(request: TextRequest, unread: readonly string[], answer: Composed, script: Script): Issue[] {
  const { frequencyPenalty, presencePenalty, toolChoice, parallelToolCalls } = request
  const penalties = Object.entries({ frequencyPenalty, presencePenalty }).filter(([, penalty]) => penalty)
  const { toolCalls = [] } = script
  return [
    ...capWarnings(
      unread.map((line) => ({
        field: 'messages',
        issue: `the mirror's script has a line that it can't read: "${line.slice(0, 80)}"`,
      })),
    ),
    ...penalties.map(([field]) => ({ field, issue: 'is not honored by the mirror, which chooses nothing' })),
    ...(toolCalls.length > 0 && toolChoice?.type === 'none'
      ? [{ field: 'toolChoice', issue: 'is ignored: the script of mirror calls a tool' }]
      : []),
    ...(toolCalls.length > 1 && parallelToolCalls === false
      ? [{ field: 'parallelToolCalls', issue: 'is ignored: the script of mirror calls several tools at once' }]
      : []),
    ...answer.warnings,
    ...unusedOptions(request),
  ]
}
