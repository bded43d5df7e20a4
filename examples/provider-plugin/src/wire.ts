import {
  type Analysis,
  type AnalysisRequest,
  type ImageRequest,
  type Issue,
  type TextAnswer,
  type TextRequest,
  entityTypes,
  sentimentLabels,
} from '@fairlead/core/provider'
import type { ErrorReading, UpstreamError } from '@fairlead/provider-http'
import { z } from 'zod'

// Text: POST /write

const end = { ended: z.enum(['done', 'limit']), tokens: z.object({ read: z.int(), written: z.int() }) }

export const textReply = z.object({ text: z.string(), ...end })
/** An event of a stream: a part of the text, or the finish at the end. */
export const textEvent = z.union([z.object({ piece: z.string() }), z.object(end)])

export function toText({ model, prompt, maxTokens, temperature, stop }: TextRequest) {
  return { model, prompt, limit: maxTokens, heat: temperature / 2, ...(stop && { until: stop }) }
}

export function toFinish(request: TextRequest, { ended, tokens }: Omit<z.output<typeof textReply>, 'text'>) {
  return {
    finishReason: ended === 'limit' ? 'length' : 'stop',
    usage: { promptTokens: tokens.read, completionTokens: tokens.written },
    warnings: unsupportedInTexts(request),
  } satisfies Omit<TextAnswer, 'content'>
}

/** A warning for each setting that was requested and that Quill does not support. */
function unsupportedInTexts({ topP, frequencyPenalty, presencePenalty, seed }: TextRequest): Issue[] {
  return unsupported({
    topP: topP !== 1,
    frequencyPenalty: frequencyPenalty !== 0,
    presencePenalty: presencePenalty !== 0,
    seed: seed !== undefined,
  })
}

// Images: POST /draw

export const imageReply = z.object({ png: z.base64() })

export function toImage({ model, prompt, width, height, quality }: ImageRequest) {
  return { model, prompt, wide: width, high: height, fine: quality === 'hd' }
}

export function unsupportedInImages({ style, seed }: ImageRequest): Issue[] {
  return unsupported({ style: style !== 'natural', seed: seed !== undefined })
}

// Analyses: POST /read

const share = z.number().min(0).max(1)

const mood = z.object({ value: z.number().min(-1).max(1), word: z.enum(sentimentLabels) })
const names = z.array(z.object({ name: z.string(), kind: z.string(), sure: share }))

/** Has a part for each requested task. */
export function analysisReply(tasks: AnalysisRequest['tasks']) {
  return z.object({
    mood: tasks.includes('sentiment') ? mood : mood.optional(),
    names: tasks.includes('entities') ? names : names.optional(),
  })
}

export function toAnalysis(reply: z.output<ReturnType<typeof analysisReply>>): Analysis {
  const { mood: felt, names: named } = reply
  const entities = named?.map(({ name, kind, sure }) => ({
    text: name,
    type: entityTypes.find((type) => type.toLowerCase() === kind) ?? 'OTHER',
    confidence: sure,
  }))
  return { ...(felt && { sentiment: { score: felt.value, label: felt.word } }), ...(entities && { entities }) }
}

// Errors

const failure = z.object({ error: z.object({ reason: z.string(), because: z.string() }) })

/** Most errors follow from the status. Only the body says that the content of a prompt was refused. */
export function explainError({ body }: UpstreamError): ErrorReading | undefined {
  const { data } = failure.safeParse(body)
  if (!data) return undefined
  const { reason, because: message } = data.error
  return reason === 'unseemly' ? { failure: 'content_refused', message } : { message }
}

function unsupported(requested: Readonly<Record<string, boolean>>): Issue[] {
  const fields = Object.entries(requested).filter(([, isRequested]) => isRequested)
  return fields.map(([field]) => ({ field, issue: 'is not supported by Quill' }))
}
