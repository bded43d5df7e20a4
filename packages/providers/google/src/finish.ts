import {
  type AnswerPart,
  type FinishReason,
  isObject,
  type Issue,
  type JsonObject,
  ProviderError,
  type ResponseFacts,
  type AnswerUsage,
} from '@fairlead/core/provider'
import {
  isNoReason,
  readFinishReason,
  reasoningWarning,
  requireAnswer,
  unknownReasonWarning,
  plainReason,
} from '@fairlead/provider-toolkit'
import { isGemini3 } from './model-rules.ts'
import type { GenerateReply, WireCandidate, WireUsage } from './wire.ts'

/** The content was filtered. */
const filtered = new Set([
  'SAFETY',
  'RECITATION',
  'LANGUAGE',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
])

/** The model wrote something that its own API could not read, or did not ask for. The API charges for it. */
const unreadable = new Map([
  ['MALFORMED_FUNCTION_CALL', 'the API could not read the tool call that the model wrote'],
  ['UNEXPECTED_TOOL_CALL', 'the model called a tool that the request does not have'],
  ['TOO_MANY_TOOL_CALLS', 'the model called too many tools in a row'],
  ['MALFORMED_RESPONSE', 'the API could not read the response that the model wrote'],
])

/**
 * @param reply a complete one, or what the events of a stream said together
 * @param parts the types of parts that the response has
 * @param asked the tier of the request, which counts if the API reports none
 * @throws ProviderError if the finish reason is a failure
 */
export function readFinish(reply: GenerateReply, parts: ReadonlySet<AnswerPart['type']>, asked?: string) {
  const counted = readUsage(reply.usageMetadata, asked)
  const webSearches = countSearches(reply)
  const usage = counted && webSearches > 0 ? { ...counted, webSearches } : counted
  const { finishReason: sent, finishMessage } = firstCandidate(reply)
  const reason = isNoReason(sent) ? undefined : plainReason(sent!).toUpperCase()
  const blockReason = reply.promptFeedback?.blockReason
  const answered = parts.has('tool_call') ? 'tool_calls' : 'stop'
  const finish = (finishReason: FinishReason, warnings: readonly Issue[] = []) => ({ finishReason, usage, warnings })
  const finishAnswered = (warnings?: readonly Issue[]) => {
    requireAnswer(parts.size, { finishReason: answered, usage }, 'candidates.0.content.parts.0.text')
    return finish(answered, warnings)
  }
  if (reason === undefined && blockReason !== undefined) {
    return finish('content_filter', toWarning(`the prompt was blocked: ${blockReason}`))
  }
  switch (reason) {
    case 'STOP':
      return finishAnswered()
    case 'MAX_TOKENS':
    case 'CONTINUATION':
      return finish('length', parts.has('reasoning') ? [] : reasoningWarning(usage?.reasoningTokens ?? 0))
    case undefined:
      throw new ProviderError('retry', 'the response has no finish reason (candidates.0.finishReason)')
    case 'OTHER':
    case 'UNSPECIFIED':
      throw new ProviderError('retry', `the finish reason is ${sent}`)
    default: {
      if (filtered.has(reason)) return finish('content_filter', toWarning(`the response was filtered: ${reason}`))
      const issue = unreadable.get(reason)
      if (issue === undefined) {
        const known = readFinishReason(sent)
        if (known === undefined) return finishAnswered([unknownReasonWarning(sent)])
        return known === 'stop' ? finishAnswered() : finish(known)
      }
      // The API's explanation may have what the model wrote.
      const words = finishMessage ? `${reason}: ${finishMessage}` : reason
      return finish(answered, toWarning(`${issue}: ${words}`))
    }
  }
}

/** Models before Gemini 3 bill an answer with any number of searches once. */
function countSearches(reply: GenerateReply): number {
  const { groundingMetadata: found } = firstCandidate(reply) as JsonObject
  const queries = isObject(found) ? found['webSearchQueries'] : undefined
  const count = Array.isArray(queries) ? queries.length : 0
  return isGemini3(reply.modelVersion ?? '') ? count : Math.min(count, 1)
}

/** Only one is ever asked for. */
export function firstCandidate({ candidates }: GenerateReply): Partial<WireCandidate> {
  return candidates?.[0] ?? {}
}

/** The facts of a reply. Its other fields are as the API wrote them, without the parts. */
export function readResponse(reply: GenerateReply): ResponseFacts {
  const { candidates: _candidates, usageMetadata, responseId, modelVersion, error: _error, ...facts } = reply
  const { content: _, finishReason: _reason, index: _index, logprobsResult: _l, ...candidate } = firstCandidate(reply)
  const native = { ...facts, ...(Object.keys(candidate).length > 0 && { candidates: [candidate] }) }
  return {
    id: responseId,
    model: modelVersion,
    serviceTier: usageMetadata?.serviceTier ?? undefined,
    ...(Object.keys(native).length > 0 && { native: { google: native } }),
  }
}

function toWarning(issue: string): readonly Issue[] {
  return [{ field: null, issue }]
}

/** @throws ProviderError if the prompt or the whole response was filtered */
export function requireAllowed(reply: GenerateReply): void {
  const { finishReason, finishMessage } = firstCandidate(reply)
  const blockReason = reply.promptFeedback?.blockReason
  if (blockReason !== undefined) throw refused(`The prompt was blocked: ${blockReason}.`)
  if (filtered.has(finishReason ?? '')) throw refused(finishMessage ?? `The response was filtered: ${finishReason}.`)
}

function refused(detail: string): ProviderError {
  return new ProviderError('content_refused', detail, { detail })
}

/** The name of a tier with a separate price: `SERVICE_TIER_PRIORITY` is `priority`. */
function readTiers(tier: string | null | undefined): Pick<AnswerUsage, 'tiers'> {
  const name = (tier ?? 'standard').toLowerCase().replace(/^service_tier_/, '')
  return name === 'standard' || name === 'unspecified' ? {} : { tiers: [name] }
}

export function readUsage(usage: WireUsage | undefined, asked: string | undefined): AnswerUsage | undefined {
  if (!usage) return undefined
  const reasoningTokens = usage.thoughtsTokenCount ?? 0
  const promptTokens = usage.promptTokenCount + (usage.toolUsePromptTokenCount ?? 0)
  // An answer that was cut off may have no count.
  const answered = usage.candidatesTokenCount ?? (usage.totalTokenCount ?? 0) - promptTokens - reasoningTokens
  return {
    promptTokens,
    completionTokens: Math.max(0, answered) + reasoningTokens,
    ...(reasoningTokens > 0 && { reasoningTokens }),
    cachedPromptTokens: usage.cachedContentTokenCount ?? 0,
    ...readTiers(usage.serviceTier ?? asked),
    native: { google: usage },
  }
}
