import type {
  LanguageModelV2StreamPart,
  LanguageModelV3StreamPart,
  LanguageModelV4,
  LanguageModelV4StreamPart,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider'
import { type Issue, type ProviderCall, ProviderError, type TextEvent, type TextRequest } from '@fairlead/core/provider'
import type { AiSdkTextModel } from './options.ts'
import { fromMetadata } from './package-options.ts'
import { toCallOptions, unasked, unsupported } from './to-call-options.ts'
import { isUnknown, toFinishReason, toResponse, toUsage } from './to-finish.ts'
import { toIssues } from './to-issues.ts'

type AnyStreamPart = LanguageModelV2StreamPart | LanguageModelV3StreamPart | LanguageModelV4StreamPart

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
  const response = toResponse(result.response)
  if (response) yield { type: 'start', response }
  const read = streamReader(id)
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
      const usage = toUsage(part.usage)
      const finishReason = toFinishReason(part.finishReason, read.hasCalls())
      yield { type: 'finish', finishReason, ...(usage && { usage }), warnings }
      return
    } else if (part.type !== 'raw') {
      yield* read.events(part)
    } else if (performance.now() - aliveAt >= aliveEveryMs) {
      // Each chunk is raw as well.
      aliveAt = performance.now()
      yield { type: 'alive' }
    }
  }
}

/** Less than the idle timeout of any route that makes sense. */
const aliveEveryMs = 1_000

interface OpenCall {
  readonly name: string
  /** The input so far. */
  json: string
}

/** Leaves out sources, files, and the calls of tools that the upstream itself runs. */
function streamReader(id: string) {
  /** The latest metadata of each block of text or reasoning. A start, a delta, or an end may have it. */
  const metadata = new Map<string, SharedV4ProviderMetadata>()
  const calls = new Map<string, OpenCall>()

  function* ofBlock(
    type: 'text' | 'reasoning',
    part: { readonly id: string; readonly providerMetadata?: SharedV4ProviderMetadata | undefined },
    text: string,
    isEnd: boolean,
  ): Generator<TextEvent, void, undefined> {
    const key = `${type} ${part.id}`
    if (part.providerMetadata) metadata.set(key, part.providerMetadata)
    const options = isEnd ? fromMetadata(metadata.get(key), id) : {}
    if (isEnd) metadata.delete(key)
    if (text !== '' || options.providerOptions) yield { type, text, ...options }
  }

  return {
    hasCalls: () => calls.size > 0,
    *events(part: AnyStreamPart): Generator<TextEvent, void, undefined> {
      switch (part.type) {
        case 'text-start':
        case 'text-delta':
        case 'text-end':
          return yield* ofBlock('text', part, 'delta' in part ? part.delta : '', part.type === 'text-end')
        case 'reasoning-start':
        case 'reasoning-delta':
        case 'reasoning-end':
          return yield* ofBlock('reasoning', part, 'delta' in part ? part.delta : '', part.type === 'reasoning-end')
        case 'tool-input-start':
          if (part.providerExecuted) return
          calls.set(part.id, { name: part.toolName, json: '' })
          return yield { type: 'tool_call', id: part.id, name: part.toolName, inputDelta: '' }
        case 'tool-input-delta': {
          const call = calls.get(part.id)
          if (!call) return
          call.json += part.delta
          return yield { type: 'tool_call', id: part.id, name: call.name, inputDelta: part.delta }
        }
        case 'tool-call': {
          if (part.providerExecuted) return
          const { toolCallId, toolName: name, input } = part
          const { json } = calls.get(toolCallId) ?? { json: '' }
          calls.set(toolCallId, { name, json: input })
          // Models that stream no inputs have them here, and some end them here.
          const inputDelta = input.startsWith(json) ? input.slice(json.length) : ''
          return yield {
            type: 'tool_call',
            id: toolCallId,
            name,
            inputDelta,
            ...fromMetadata(part.providerMetadata, id),
          }
        }
        default:
      }
    },
  }
}
