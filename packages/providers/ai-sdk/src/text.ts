import type {
  LanguageModelV2Content,
  LanguageModelV2StreamPart,
  LanguageModelV3Content,
  LanguageModelV3StreamPart,
  LanguageModelV4Content,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import { type Issue, ProviderError, type TextAnswer, type TextEvent, type TextRequest } from '@fairlead/core/provider'
import type { AiSdkTextModel } from './options.ts'
import { toCallOptions, unasked } from './to-call-options.ts'
import { isUnknown, toFinishReason, toUsage } from './to-finish.ts'
import { toIssues } from './to-issues.ts'

type AnyContent = LanguageModelV2Content | LanguageModelV3Content | LanguageModelV4Content

export async function generateText(
  entry: AiSdkTextModel,
  request: TextRequest,
  signal: AbortSignal,
): Promise<TextAnswer> {
  const result = await entry.model.doGenerate(toCallOptions(entry, request, signal))
  const usage = toUsage(result.usage)
  const chosen = 'structuredOutputText' in result && request.responseSchema ? result.structuredOutputText : undefined
  return {
    content: chosen ?? textOf(result.content),
    finishReason: toFinishReason(result.finishReason),
    ...(usage && { usage }),
    warnings: toIssues(result.warnings, unasked(request)),
  }
}

/** The text of a response, without its reasoning, sources, and files. */
function textOf(content: readonly AnyContent[]): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

type AnyStream = AsyncIterable<LanguageModelV2StreamPart | LanguageModelV3StreamPart | LanguageModelV4StreamPart>

/** Throws the error of an `error` part unchanged. Leaving the loop cancels the model's stream. */
export async function* streamText(
  entry: AiSdkTextModel,
  request: TextRequest,
  signal: AbortSignal,
): AsyncGenerator<TextEvent, void, undefined> {
  const { stream } = await entry.model.doStream(toCallOptions(entry, request, signal))
  let warnings: readonly Issue[] = []
  for await (const part of stream as unknown as AnyStream) {
    if (part.type === 'text-delta') {
      if (part.delta !== '') yield { type: 'text', text: part.delta }
    } else if (part.type === 'stream-start') {
      warnings = toIssues(part.warnings, unasked(request))
    } else if (part.type === 'error') {
      throw part.error
    } else if (part.type === 'finish') {
      if (isUnknown(part.finishReason)) throw new ProviderError('retry', 'the stream ended without a finish event')
      const usage = toUsage(part.usage)
      yield { type: 'finish', finishReason: toFinishReason(part.finishReason), ...(usage && { usage }), warnings }
      return
    }
  }
}
