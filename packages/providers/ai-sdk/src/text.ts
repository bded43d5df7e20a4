import type { LanguageModelV4 } from '@ai-sdk/provider'
import { collectAnswer, type TextAnswer, type TextRequest } from '@fairlead/core/provider'
import type { AiSdkTextModel } from './options.ts'
import { type AnyContent, type AnyStreamPart, PartReader } from './part-reader.ts'
import { toCallOptions, unasked, unsupported } from './to-call-options.ts'
import { toFinish, toResponse } from './to-finish.ts'
import { toIssues } from './to-issues.ts'

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
  const chosen = request.responseFormat?.type === 'json_schema' ? result.structuredOutputText : undefined
  const others = result.content.filter(({ type }) => type !== 'text')
  const content: readonly AnyContent[] =
    chosen === undefined ? result.content : [...others, { type: 'text', text: chosen }]
  const reader = new PartReader(id)
  const parts = [...content.flatMap(toPieces).flatMap((piece) => reader.read(piece)), ...reader.end()]
  const warnings = [...toIssues(result.warnings, unasked(request)), ...unsupported(entry, request, id)]
  const finish = toFinish(result, toResponse(result.response), reader.hasCalls, warnings)
  return collectAnswer([...parts, finish])
}

/** As a stream has it: both are read in the same way. */
function toPieces(part: AnyContent): readonly AnyStreamPart[] {
  if (part.type !== 'text' && part.type !== 'reasoning') return [part]
  const { type, text, ...end } = part
  return [{ type: `${type}-delta`, id: '', delta: text }, { ...end, type: `${type}-end`, id: '' } as AnyStreamPart]
}
