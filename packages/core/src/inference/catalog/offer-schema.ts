import { z } from 'zod'
import { safeText } from '../answers/provider-answers.ts'

const price = z.number().min(0)
const prices = { input: price, output: price, cachedInput: price.optional(), cacheWrite: price.optional() }
/** Ids are written down with each call: what some store would refuse may not be one. */
const id = z.string().regex(/^[^\p{Cc}\p{Cs}]{1,200}$/u, { error: 'must have 1 to 200 characters, none of control' })
const basics = {
  id,
  name: safeText,
  description: safeText,
  pricing: z.object({ ...prices, longPrompts: z.object({ ...prices, above: z.int().min(1) }).optional() }).optional(),
  maxTokens: z.int().min(1),
  seed: z.boolean().optional(),
  testDouble: z.boolean().optional(),
}
const size = z.string().regex(/^[1-9]\d{0,4}x[1-9]\d{0,4}$/)
const languages = z.array(z.string().regex(/^[a-z]{2}$/, { error: 'must be an ISO 639-1 code' })).optional()

/** What providers may say that they have. */
export const offerSchemas = {
  model: z.discriminatedUnion('type', [
    z.object({
      type: z.literal('text'),
      ...basics,
      streaming: z.boolean().optional(),
      contextSize: z.int().min(1).optional(),
      structured: z.boolean().optional(),
    }),
    z.object({
      type: z.literal('image'),
      ...basics,
      sizes: z.tuple([size], size),
    }),
  ]),
  analyzer: z.object({ id, tasks: z.object({ sentiment: languages, entities: languages, keywords: languages }) }),
} as const
