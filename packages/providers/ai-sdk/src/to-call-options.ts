import type { JSONSchema7, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { TextRequest } from '@fairlead/core/provider'
import type { AiSdkTextModel, ProviderOptions } from './options.ts'

/** The call options that all versions of the specification share. */
export type CallOptions = Pick<
  LanguageModelV4CallOptions,
  | 'maxOutputTokens'
  | 'temperature'
  | 'topP'
  | 'frequencyPenalty'
  | 'presencePenalty'
  | 'seed'
  | 'stopSequences'
  | 'responseFormat'
  | 'abortSignal'
> & {
  prompt: [{ role: 'user'; content: [{ type: 'text'; text: string }] }]
  providerOptions?: ProviderOptions
}

/** A request in the form of the AI SDK, without settings at their defaults: models warn about settings they don't know. */
export function toCallOptions(
  { providerOptions }: Pick<AiSdkTextModel, 'providerOptions'>,
  request: TextRequest,
  abortSignal: AbortSignal,
): CallOptions {
  const { prompt, maxTokens, temperature, topP, frequencyPenalty, presencePenalty, seed, stop, responseSchema } =
    request
  return {
    prompt: [{ role: 'user', content: [{ type: 'text', text: prompt }] }],
    ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && topP !== 1 && { topP }),
    ...(frequencyPenalty && { frequencyPenalty }),
    ...(presencePenalty && { presencePenalty }),
    ...(seed !== undefined && { seed }),
    ...(stop && { stopSequences: [...stop] }),
    ...(responseSchema && {
      responseFormat: { type: 'json', name: 'answer', schema: responseSchema as JSONSchema7 } as const,
    }),
    ...(providerOptions && { providerOptions: optionsFor(providerOptions, request) }),
    abortSignal,
  }
}

/** Core's default: it counts as not set. */
const usualTemperature = 0.7

/** Fields that every request has, requested or not. */
export function unasked({ temperature }: TextRequest): readonly string[] {
  return temperature === usualTemperature ? ['temperature'] : []
}

/** The provider options for one request. */
export function optionsFor<Request>(
  options: ProviderOptions | ((request: Request) => ProviderOptions),
  request: Request,
): ProviderOptions {
  return typeof options === 'function' ? options(request) : options
}
