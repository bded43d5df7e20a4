import type {
  LanguageModelV2Content,
  LanguageModelV3Content,
  LanguageModelV4,
  LanguageModelV4Content,
} from '@ai-sdk/provider'
import { type AnswerPart, readToolInput, type TextAnswer, type TextRequest } from '@fairlead/core/provider'
import type { AiSdkTextModel } from './options.ts'
import { fromMetadata } from './package-options.ts'
import { toCallOptions, unasked, unsupported } from './to-call-options.ts'
import { toFinishReason, toResponse, toUsage } from './to-finish.ts'
import { toIssues } from './to-issues.ts'

type AnyContent = LanguageModelV2Content | LanguageModelV3Content | LanguageModelV4Content

/** @param id the provider's id, for what the model needs back in the next request */
export async function generateText(
  entry: AiSdkTextModel,
  request: TextRequest,
  id: string,
  signal: AbortSignal,
): Promise<TextAnswer> {
  // The call options suit the version of the model.
  const model = entry.model as LanguageModelV4
  const result = await model.doGenerate(toCallOptions(entry, request, id, signal))
  const usage = toUsage(result.usage)
  const response = toResponse(result.response)
  const chosen = request.responseFormat?.type === 'json_schema' ? result.structuredOutputText : undefined
  const parts: readonly AnswerPart[] =
    chosen === undefined ? result.content.flatMap((part) => toPart(part, id)) : [{ type: 'text', text: chosen }]
  const isPlain = parts.every(({ type, providerOptions }) => type === 'text' && !providerOptions)
  return {
    content: parts.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    ...(!isPlain && { parts }),
    finishReason: toFinishReason(
      result.finishReason,
      parts.some(({ type }) => type === 'tool_call'),
    ),
    ...(usage && { usage }),
    ...(response && { response }),
    warnings: [...toIssues(result.warnings, unasked(request)), ...unsupported(entry, request, id)],
  }
}

/** Leaves out sources, files, and the calls of tools that the upstream itself runs. */
function toPart(part: AnyContent, id: string): AnswerPart[] {
  if (part.type === 'text' || part.type === 'reasoning') {
    const { type, text } = part
    const options = fromMetadata(part.providerMetadata, id)
    return text === '' && !options.providerOptions ? [] : [{ type, text, ...options }]
  }
  if (part.type !== 'tool-call' || part.providerExecuted) return []
  const { toolCallId, toolName: name, input } = part
  return [
    {
      type: 'tool_call',
      id: toolCallId,
      name,
      ...readToolInput(input),
      ...fromMetadata(part.providerMetadata, id),
    },
  ]
}
