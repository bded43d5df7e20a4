import {
  type FinishReason,
  type Issue,
  type JsonObject,
  type ResponseFacts,
  type TextFinish,
} from '@fairlead/core/provider'
import { reasoningWarning } from '@fairlead/provider-toolkit'
import type { OwnDialect } from './native.ts'
import { textIn } from './sent-values.ts'
import type { Counted } from './usage.ts'

/** What the reading of a reply needs of its request. */
export interface Reading {
  /** The id of the provider. */
  readonly provider: string
  readonly warnings: readonly Issue[]
  /** The `service_tier` of the request. */
  readonly tier: unknown
  /** The API, if the client speaks it, so that it gets the fields of the reply that core does not interpret. */
  readonly native: OwnDialect | undefined
  /** The names of tools by those that were sent, if they were too long. */
  readonly toolNames?: ReadonlyMap<string, string> | undefined
}

/** The name of a tool as the request has it. */
export function askedName(sent: string, { toolNames }: Reading): string {
  return toolNames?.get(sent) ?? sent
}

/** What a reply, or a piece of one, says of its response. */
export function readFacts(sent: JsonObject): ResponseFacts {
  const id = textIn(sent['id'])
  const model = textIn(sent['model'])
  const serviceTier = textIn(sent['service_tier'])
  const fingerprint = textIn(sent['system_fingerprint'])
  return {
    ...(id && { id }),
    ...(model && { model }),
    ...(serviceTier && { serviceTier }),
    ...(fingerprint && { fingerprint }),
  }
}

/** How an answer ended. */
export interface End {
  readonly finishReason: FinishReason
  /** Warnings about the end. */
  readonly found?: readonly Issue[] | undefined
  readonly stopSequence?: string | undefined
  readonly counted: Counted | undefined
  /** The tier that answered, which decides the price. That of the request counts if the server reports none. */
  readonly tier: string | undefined
  /** In characters, as is the next. */
  readonly textLength: number
  readonly reasoningLength: number
}

/** The end of an answer with the warnings of its request. */
export function toFinish(end: End, reading: Reading): TextFinish {
  const { finishReason, found: ofEnd = [], stopSequence, counted, tier = reading.tier } = end
  const found = [
    ...ofEnd,
    ...(finishReason === 'length' ? warnOfReasoning(end) : []),
    ...(counted?.disagrees ? [disagreement] : []),
  ]
  const warnings = found.length > 0 ? [...reading.warnings, ...found] : reading.warnings
  const usage =
    counted && typeof tier === 'string' && !standardTiers.has(tier)
      ? { ...counted.usage, tiers: [tier] }
      : counted?.usage
  return {
    finishReason,
    ...(stopSequence !== undefined && { stopSequence }),
    ...(usage && { usage }),
    ...(warnings.length > 0 && { warnings }),
  }
}

/** How an answer ended whose end needs no words. */
export function endOf(callCount: number, hasRefused: boolean): FinishReason {
  if (callCount > 0) return 'tool_calls'
  return hasRefused ? 'refusal' : 'stop'
}

/** Values of `service_tier` that have the standard price. */
const standardTiers: ReadonlySet<string> = new Set(['auto', 'default', 'standard', 'on_demand', 'scale'])

const disagreement: Issue = {
  field: null,
  issue: 'the token counts of the server contradict each other: the smaller ones count',
}

const charactersPerToken = 4

/** Ollama and others send the reasoning but do not count its tokens: its share of the characters is an estimate. */
function warnOfReasoning({ counted, textLength, reasoningLength }: End): readonly Issue[] {
  const usage = counted?.usage
  if (usage?.reasoningTokens !== undefined) return reasoningWarning(usage.reasoningTokens)
  const completion = usage?.completionTokens ?? (textLength + reasoningLength) / charactersPerToken
  const share = reasoningLength / Math.max(1, textLength + reasoningLength)
  return reasoningWarning(Math.round(completion * share), { isEstimate: textLength > 0 || usage === undefined })
}
