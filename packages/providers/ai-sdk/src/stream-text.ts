import type { LanguageModelV4 } from '@ai-sdk/provider'
import { type Issue, type ProviderCall, ProviderError, type TextEvent, type TextRequest } from '@fairlead/core/provider'
import type { AiSdkTextModel } from './options.ts'
import { type AnyStreamPart, PartReader } from './part-reader.ts'
import { toCallOptions, unasked, unsupported } from './to-call-options.ts'
import { isUnknown, toFinish, toResponse } from './to-finish.ts'
import { toIssues } from './to-issues.ts'

/**
 * Throws the error of an `error` part unchanged. Leaving the loop cancels the model's stream.
 *
 * @param id the provider's id, for what the model needs back in the next request
 */
export async function* streamText(
  entry: AiSdkTextModel,
  request: TextRequest,
  id: string,
  { signal, warn }: ProviderCall,
): AsyncGenerator<TextEvent, void, undefined> {
  // The call options suit the version of the model.
  const model = entry.model as LanguageModelV4
  // Raw chunks include the pings of the upstream.
  const result = await model.doStream({ ...toCallOptions(entry, request, id, signal), includeRawChunks: true })
  const reader = new PartReader(id)
  let response = toResponse(result.response)
  let isStarted = false
  let aliveAt = performance.now()
  let warnings: readonly Issue[] = []
  for await (const part of result.stream as unknown as AsyncIterable<AnyStreamPart>) {
    if (part.type === 'stream-start') {
      warnings = [...toIssues(part.warnings, unasked(request)), ...unsupported(entry, request, id)]
      warn?.(warnings)
    } else if (part.type === 'error') {
      throw part.error
    } else if (part.type === 'finish') {
      if (isUnknown(part.finishReason)) throw new ProviderError('retry', 'the stream ended without a finish event')
      yield* reader.end()
      yield toFinish(part, response, reader.hasCalls, warnings)
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
