import { z } from 'zod'

/** The formats of `generateContent` for text and images: https://ai.google.dev/api/generate-content */

export interface GenerateRequest {
  readonly contents: readonly { readonly role: 'user'; readonly parts: readonly { readonly text: string }[] }[]
  readonly generationConfig: GenerationConfig
}

export interface GenerationConfig {
  readonly maxOutputTokens?: number
  readonly temperature?: number
  readonly topP?: number
  readonly seed?: number
  readonly stopSequences?: readonly string[]
  readonly responseMimeType?: 'application/json'
  readonly responseJsonSchema?: Readonly<Record<string, unknown>>
  readonly thinkingConfig?: {
    readonly thinkingBudget?: number
    readonly thinkingLevel?: 'MINIMAL' | 'LOW' | 'MEDIUM' | 'HIGH'
  }
  readonly responseModalities?: readonly ['IMAGE']
  readonly imageConfig?: { readonly aspectRatio: string; readonly imageSize?: '2K' }
}

/** The API omits counts of 0. */
const tokens = z
  .int()
  .min(0)
  .nullish()
  .transform((count) => count ?? 0)

const usageMetadata = z.object({
  promptTokenCount: z.int().min(0),
  cachedContentTokenCount: tokens,
  candidatesTokenCount: tokens,
  candidatesTokensDetails: z.array(z.object({ modality: z.string(), tokenCount: tokens })).nullish(),
  thoughtsTokenCount: tokens,
})
export type WireUsage = z.output<typeof usageMetadata>

const part = z.object({
  text: z.string().optional(),
  thought: z.boolean().optional(),
  inlineData: z.object({ mimeType: z.string(), data: z.string() }).optional(),
})
export type WirePart = z.output<typeof part>

/** A complete reply, or an event of a stream. An error does not match, and is read as an error. */
export const generateReply = z.object({
  candidates: z
    .array(
      z.object({
        content: z.object({ parts: z.array(part).optional() }).optional(),
        finishReason: z.string().optional(),
        finishMessage: z.string().optional(),
      }),
    )
    .optional(),
  promptFeedback: z.object({ blockReason: z.string().optional() }).optional(),
  usageMetadata: usageMetadata.optional(),
  error: z.never().optional(),
})
export type GenerateReply = z.output<typeof generateReply>

const oneError = z.object({
  error: z.object({
    message: z.string(),
    status: z.string().optional(),
    details: z
      .array(z.object({ reason: z.string().optional(), retryDelay: z.string().optional() }))
      .optional()
      .catch(undefined),
  }),
})
/** A stream that fails at its start may send its error in a list of one. */
export const errorReply = z.union([oneError, z.tuple([oneError]).transform(([only]) => only)])

export const modelList = z.object({
  models: z
    .array(
      z.object({
        name: z.string(),
        displayName: z.string().optional(),
        inputTokenLimit: z.int().min(1).optional(),
        outputTokenLimit: z.int().min(1).optional(),
        supportedGenerationMethods: z.array(z.string()).optional(),
      }),
    )
    .default([]),
})
export type WireModel = z.output<typeof modelList>['models'][number]
