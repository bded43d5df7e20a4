import type { JsonSchema } from '@fairlead/core/provider'
import * as z from 'zod'

/** The formats of `generateContent` for text and images: https://ai.google.dev/api/generate-content */

export interface GenerateRequest {
  readonly contents: readonly WireContent[]
  readonly systemInstruction?: WireContent
  readonly tools?: readonly (WireFunctions | { readonly googleSearch: object })[]
  readonly toolConfig?: {
    readonly functionCallingConfig?: {
      readonly mode: 'AUTO' | 'ANY' | 'NONE' | 'VALIDATED'
      readonly allowedFunctionNames?: readonly string[]
    }
    /** Required for a search beside functions. The blocks of the search are then parts of the answer. */
    readonly includeServerSideToolInvocations?: true
  }
  readonly generationConfig: GenerationConfig
  readonly serviceTier?: string
}

interface WireFunctions {
  readonly functionDeclarations: readonly {
    readonly name: string
    readonly description?: string
    readonly parametersJsonSchema: JsonSchema
  }[]
}

/** A turn of the conversation. Results of functions are the user's. */
export interface WireContent {
  readonly role: 'user' | 'model'
  readonly parts: readonly SentPart[]
}

/** Has one of the fields that hold data. A block of Google's own tools is sent as it came. */
export interface SentPart extends SentMedia {
  readonly text?: string
  /** Whether `text` is a summary of the model's thoughts. */
  readonly thought?: boolean
  /** A signature of the model's thoughts, which the model needs back in the next turn. */
  readonly thoughtSignature?: string
  readonly functionCall?: {
    readonly id: string
    readonly name: string
    readonly args: Readonly<Record<string, unknown>>
  }
  readonly functionResponse?: {
    readonly id: string
    readonly name: string
    readonly response: { readonly output: string } | { readonly error: string }
    readonly parts?: readonly SentMedia[]
  }
}

export interface SentMedia {
  /** In base64. */
  readonly inlineData?: { readonly mimeType: string; readonly data: string }
  readonly fileData?: { readonly mimeType?: string; readonly fileUri: string }
}

export interface GenerationConfig {
  readonly maxOutputTokens?: number
  readonly temperature?: number
  readonly topP?: number
  readonly seed?: number
  readonly stopSequences?: readonly string[]
  readonly responseMimeType?: 'application/json'
  readonly responseJsonSchema?: JsonSchema
  readonly thinkingConfig?: {
    readonly thinkingBudget?: number
    readonly thinkingLevel?: 'MINIMAL' | 'LOW' | 'MEDIUM' | 'HIGH'
    readonly includeThoughts?: true
  }
  readonly responseModalities?: readonly ['IMAGE']
  readonly imageConfig?: { readonly aspectRatio: string; readonly imageSize?: '2K' }
}

/** The API omits counts of 0. */
const tokens = z.int().min(0).nullish()

const usageMetadata = z.looseObject({
  promptTokenCount: z.int().min(0),
  cachedContentTokenCount: tokens,
  candidatesTokenCount: tokens,
  candidatesTokensDetails: z.array(z.looseObject({ modality: z.string(), tokenCount: tokens })).nullish(),
  thoughtsTokenCount: tokens,
  /** Of the results of Google's own tools. */
  toolUsePromptTokenCount: tokens,
  totalTokenCount: tokens,
  serviceTier: z.string().nullish().catch(undefined),
})
export type WireUsage = z.output<typeof usageMetadata>

/** Proxies of the API send null for what it leaves out. */
function maybe<Schema extends z.ZodType>(schema: Schema) {
  return schema
    .nullish()
    .transform((value) => value ?? undefined)
    .optional()
}

const part = z.looseObject({
  text: maybe(z.string()),
  thought: maybe(z.boolean()),
  thoughtSignature: maybe(z.string()),
  functionCall: maybe(
    z.object({
      id: maybe(z.string()),
      name: z.string(),
      args: z.record(z.string(), z.unknown()).nullish(),
    }),
  ),
  inlineData: maybe(z.object({ mimeType: z.string(), data: z.string() })),
})
export type WirePart = z.output<typeof part>

const candidate = z.looseObject({
  content: maybe(z.object({ parts: maybe(z.array(part)) })),
  finishReason: maybe(z.string()),
  finishMessage: maybe(z.string()),
})
export type WireCandidate = z.output<typeof candidate>

/** A complete reply, or an event of a stream. An error does not match, and is read as an error. */
export const generateReply = z.looseObject({
  candidates: maybe(z.array(candidate)),
  promptFeedback: maybe(z.looseObject({ blockReason: maybe(z.string()) })),
  // Without the count of the prompt, as in the first events of Vertex AI, they count as missing.
  usageMetadata: maybe(usageMetadata).catch(undefined),
  responseId: z.string().optional().catch(undefined),
  modelVersion: z.string().optional().catch(undefined),
  error: z.null().optional(),
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
