import type { LanguageModelV4 } from '@ai-sdk/provider'
import {
  collectAnswer,
  type Issue,
  type ProviderCall,
  ProviderError,
  type TextAnswer,
  type TextEvent,
} from '@fairlead/core/provider'
import { tiersIn } from './package-options.ts'
import { type AnyContent, type AnyStreamPart, PartReader } from './part-reader.ts'
import { type TextCall, toCallOptions, unasked, unsupported } from './to-call-options.ts'
import { isUnknown, toFinish, toResponse } from './to-finish.ts'
import { type AnyWarning, toIssues } from './to-issues.ts'

export async function generateText(call: TextCall): Promise<TextAnswer> {
  const { entry, request, id } = call
  // The call options suit the version of the model.
  const result = await (entry.model as LanguageModelV4).doGenerate(toCallOptions(call))
  const chosen = request.responseFormat?.type === 'json_schema' ? result.structuredOutputText : undefined
  const others = result.content.filter(({ type }) => type !== 'text')
  const content: readonly AnyContent[] =
    chosen === undefined ? result.content : [...others, { type: 'text', text: chosen }]
  const reader = new PartReader(id)
  const parts = [...content.flatMap(toPieces).flatMap((piece) => reader.read(piece)), ...reader.end()]
  const facts = { response: toResponse(result.response), warnings: toWarnings(call, result.warnings) }
  const finish = toFinish(result, facts, reader.hasCalls, tiersIn(request, id))
  return collectAnswer([...parts, finish])
}

/** As a stream has it: both are read in the same way. */
function toPieces(part: AnyContent): readonly AnyStreamPart[] {
  if (part.type !== 'text' && part.type !== 'reasoning') return [part]
  const { type, text, ...end } = part
  return [{ type: `${type}-delta`, id: '', delta: text }, { ...end, type: `${type}-end`, id: '' } as AnyStreamPart]
}

/** Throws the error of an `error` part unchanged. Leaving the loop cancels the model's stream. */
export async function* streamText(
  call: TextCall,
  warn: ProviderCall['warn'],
): AsyncGenerator<TextEvent, void, undefined> {
  const { entry, request, id } = call
  // Raw chunks include the pings of the upstream.
  const options = { ...toCallOptions(call), includeRawChunks: true }
  const result = await (entry.model as LanguageModelV4).doStream(options)
  const reader = new PartReader(id)
  let response = toResponse(result.response)
  let isStarted = false
  let aliveAt = performance.now()
  let warnings = call.leftOut
  for await (const part of result.stream as unknown as AsyncIterable<AnyStreamPart>) {
    if (part.type === 'stream-start') {
      warnings = toWarnings(call, part.warnings)
      warn?.(warnings)
    } else if (part.type === 'error') {
      throw part.error
    } else if (part.type === 'finish') {
      if (isUnknown(part.finishReason)) throw new ProviderError('retry', 'the stream ended without a finish event')
      yield* reader.end()
      yield toFinish(part, { response, warnings }, reader.hasCalls, tiersIn(request, id))
      return
    } else if (part.type === 'raw' || part.type === 'ping') {
      // Each chunk is raw as well.
      if (performance.now() - aliveAt < aliveEveryMs) continue
      aliveAt = performance.now()
      yield { type: 'alive' }
    } else {
      if (part.type === 'response-metadata') response = { ...response, ...toResponse(part) }
      if (response && !isStarted) yield { type: 'start', response }
      isStarted = true
      yield* reader.read(part)
    }
  }
}

/** Less than the idle timeout of any route that makes sense. */
const aliveEveryMs = 1_000

function toWarnings(call: TextCall, warnings: readonly AnyWarning[]): readonly Issue[] {
  return [...toIssues(warnings, unasked(call.request)), ...unsupported(call), ...call.leftOut]
}
