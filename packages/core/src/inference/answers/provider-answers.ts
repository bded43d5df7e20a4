import { z } from 'zod'
import { finishReasons } from '../../ports/provider.ts'
import { entityTypes, sentimentLabels } from '../../values/analysis.ts'
import { ContractViolation } from './contract-violation.ts'

/** More than any model says; beyond it an answer is a fault. */
const mostCharacters = 8_000_000
const mostWarnings = 100
const mostRemarkCharacters = 1_000
/** More than the longest text has words. */
const mostFound = 100_000

/** Text that every store keeps alike: upstream NULs and lone surrogates become replacement characters. */
export const safeText = z
  .string()
  .max(mostCharacters)
  .transform((value) => value.replaceAll('\0', '\uFFFD').toWellFormed())

const share = z.number().min(0).max(1)
const tokens = z.int().min(0)

/** A hundred warnings may not make a book either. */
const remark = safeText.transform((value) => value.slice(0, mostRemarkCharacters).toWellFormed())

const warnings = z
  .array(z.object({ field: remark.nullable(), issue: remark }))
  .max(mostWarnings)
  .default([])

const finish = {
  finishReason: z.enum(finishReasons),
  usage: z
    .object({
      promptTokens: tokens,
      completionTokens: tokens,
      cachedPromptTokens: tokens.default(0),
      cacheWriteTokens: tokens.exactOptional(),
    })
    .optional(),
  warnings,
}

const analysis = z.object({
  sentiment: z.object({ score: z.number().min(-1).max(1), label: z.enum(sentimentLabels) }).optional(),
  entities: z
    .array(z.object({ text: safeText, type: z.enum(entityTypes), confidence: share }))
    .max(mostFound)
    .optional(),
  keywords: z
    .array(z.object({ text: safeText, score: share }))
    .max(mostFound)
    .optional(),
})

/** What providers may answer. Their answers are copied through these: what breaks the contract is a bug of the provider. */
export const providerAnswers = {
  text: z.object({ content: safeText, ...finish }),
  /** Pieces are left as they are: a surrogate pair may be split between two. */
  textEvent: z.discriminatedUnion('type', [
    z.object({ type: z.literal('text'), text: z.string().max(mostCharacters) }),
    z.object({ type: z.literal('finish'), ...finish }),
  ]),
  image: z.object({
    png: z.instanceof(Uint8Array).transform((bytes) => Uint8Array.from(bytes)),
    revisedPrompt: safeText.optional(),
    promptTokens: tokens.optional(),
    costUsd: z.number().min(0).optional(),
    warnings,
  }),
  analysis: z.object({ analysis, warnings }),
} as const

/** An answer, copied; throws a `ContractViolation` where it is none. */
export function readAnswer<Schema extends z.ZodType>(schema: Schema, answer: unknown): z.output<Schema> {
  const read = schema.safeParse(answer)
  if (read.success) return read.data
  const faults = read.error.issues.map(({ path, message }) => `${path.join('.') || 'the answer'}: ${message}`)
  throw new ContractViolation(faults.slice(0, 3).join('; '))
}
