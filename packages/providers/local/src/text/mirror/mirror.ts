import type { Issue, ProviderCall, TextRequest } from '@fairlead/core/provider'
import { capWarnings } from '../../cap-warnings.ts'
import type { Delay } from '../delay.ts'
import { type CutAnswer, cutAnswer } from '../tokens/cut-answer.ts'
import type { Tokenizer } from '../tokens/tokenizer.ts'
import { type FailureCounts, failureCounts } from './failure-counts.ts'
import { type Script, type ScriptedPrompt, readScript } from './read-script.ts'
import { thrown } from './thrown.ts'

/** What the mirror answers, once it has waited and failed as told. */
export interface Reflection extends CutAnswer {
  readonly script: Script
  readonly warnings: readonly Issue[]
  /** The answer is to be broken: no provider's answer, or a stream without an end. */
  readonly malformed: boolean
}

export type Reflect = (request: TextRequest, call: ProviderCall, tokenizer: Tokenizer) => Promise<Reflection>

/** For requests without a maximum: that of the model. */
const maxReplyTokens = 4_096

/** Makes a mirror; each has its own count of failures. */
export function mirror(delay: Delay): Reflect {
  const counts = failureCounts()
  return async (request, { signal }, tokenizer) => {
    const scripted = readScript(request.prompt)
    const { script } = scripted
    const failure = failsNow(scripted, request.prompt, counts)
    if (script.delayMs) await delay(script.delayMs, signal)
    signal.throwIfAborted()
    if (failure && failure !== 'malformed') throw thrown[failure]()
    const answer = cutAnswer(tokensOf(scripted, request, tokenizer), request)
    return { ...answer, script, warnings: warnings(request, scripted), malformed: failure === 'malformed' }
  }
}

function failsNow({ script }: ScriptedPrompt, prompt: string, counts: FailureCounts) {
  const { fail, failTimes } = script
  return fail && (failTimes === undefined || counts.failsNow(prompt, failTimes)) ? fail : undefined
}

function tokensOf(
  { script, rest }: ScriptedPrompt,
  { maxTokens = maxReplyTokens }: TextRequest,
  tokenizer: Tokenizer,
): string[] {
  const text = script.reply ?? rest
  const pieces = tokenizer.pieces(text === '' ? 'mirror' : text, Math.max(maxTokens, script.tokens ?? 0))
  if (script.tokens === undefined) return pieces
  return Array.from({ length: script.tokens }, (_, index) => pieces[index % pieces.length]!)
}

function warnings({ frequencyPenalty, presencePenalty }: TextRequest, { unread }: ScriptedPrompt): Issue[] {
  const penalized = { frequencyPenalty, presencePenalty }
  return [
    ...capWarnings(
      unread.map((line) => ({
        field: 'prompt',
        issue: `the mirror's script has a line that it can't read: "${line.slice(0, 80)}"`,
      })),
    ),
    ...Object.entries(penalized).flatMap(([field, value]) =>
      value === undefined || value === 0
        ? []
        : [{ field, issue: 'is not honoured by the mirror, which chooses nothing' }],
    ),
  ]
}

/** Joins the pieces of an answer into as many chunks as the script asks for; without a wish each is one. */
export function chunksOf(pieces: readonly string[], wanted: number | undefined): string[] {
  if (wanted === undefined || wanted >= pieces.length) return [...pieces]
  return Array.from({ length: wanted }, (_, index) =>
    pieces
      .slice(Math.round((index * pieces.length) / wanted), Math.round(((index + 1) * pieces.length) / wanted))
      .join(''),
  )
}
