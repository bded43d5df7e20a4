import type { ObservedAttempt } from '@fairlead/core'
import { toIdentified } from '@fairlead/core/adapter'
import { type IdentifiedCaller } from '@fairlead/core/server'
import type { TextRequest } from '@fairlead/core/provider'
import type { Attributes } from '@opentelemetry/api'

/**
 * The attributes of OpenTelemetry's conventions for generative AI, version 0.1.0, and our own. None has a prompt, a result,
 * or the message of an error.
 */

/** The operations that have spans. */
const operations: Readonly<Partial<Record<ObservedAttempt['capability'], string>>> = {
  generateText: 'chat',
  streamText: 'chat',
  embed: 'embeddings',
  // The conventions have no name for these.
  generateImage: 'generate_image',
  analyze: 'analyze',
}

/** The conventions have other names for some providers. */
const providerNames: Readonly<Record<string, string>> = {
  azure: 'azure.ai.openai',
  bedrock: 'aws.bedrock',
  google: 'gcp.gemini',
  mistral: 'mistral_ai',
  moonshot: 'moonshot_ai',
  vertex: 'gcp.vertex_ai',
  xai: 'x_ai',
}

export function providerName(id: string): string {
  return providerNames[id] ?? id
}

/**
 * The attributes that spans and metrics of an attempt share. Undefined for an operation without a span, such as
 * counting tokens.
 */
export function callAttributes({ capability, model, target }: ObservedAttempt): Attributes | undefined {
  const operation = operations[capability]
  if (operation === undefined) return undefined
  return {
    'gen_ai.operation.name': operation,
    'gen_ai.provider.name': providerName(target.provider),
    'gen_ai.request.model': model,
  }
}

/** For spans alone: metrics would get a series for each key. */
export function callerAttributes({ keyId, userId }: Partial<IdentifiedCaller>): Attributes {
  return {
    'fairlead.key.id': keyId,
    'fairlead.project.id': userId?.startsWith('prj_') ? userId : undefined,
  }
}

export function attemptAttributes({ caller, route }: ObservedAttempt): Attributes {
  return { 'fairlead.route': route, ...(caller.kind === 'account' && callerAttributes(toIdentified(caller))) }
}

/** Where the provider sends its requests. @param origin such as `https://api.example.com` */
export function serverAttributes(origin: string): Attributes {
  const url = URL.parse(origin)
  if (!url) return {}
  const port = url.port || (url.protocol === 'http:' ? 80 : 443)
  return { 'server.address': url.hostname, 'server.port': Number(port) }
}

export function requestAttributes({ request, capability }: ObservedAttempt): Attributes {
  if (!request || 'analyzer' in request) return {}
  if ('messages' in request) return textAttributes(request, capability === 'streamText')
  if ('texts' in request) return { 'gen_ai.embeddings.dimension.count': request.dimensions }
  const { seed, n = 1 } = request
  return {
    'gen_ai.output.type': 'image',
    'gen_ai.request.seed': seed,
    ...(n !== 1 && { 'gen_ai.request.choice.count': n }),
  }
}

/** An undefined attribute is not exported. */
function textAttributes(request: TextRequest, isStreamed: boolean): Attributes {
  return {
    'gen_ai.request.max_tokens': request.maxTokens,
    'gen_ai.request.temperature': request.temperature,
    'gen_ai.request.top_p': request.topP,
    'gen_ai.request.frequency_penalty': request.frequencyPenalty,
    'gen_ai.request.presence_penalty': request.presencePenalty,
    'gen_ai.request.seed': request.seed,
    'gen_ai.request.stop_sequences': request.stop && [...request.stop],
    ...(isStreamed && { 'gen_ai.request.stream': true }),
    'gen_ai.output.type': request.responseFormat ? 'json' : 'text',
  }
}

/** As far as they are known: a stream that broke off names at least its response. */
export function responseAttributes({ answer, response }: ObservedAttempt): Attributes {
  const usage = answer?.usage
  return {
    'gen_ai.response.id': response?.id,
    'gen_ai.response.model': response?.model,
    'gen_ai.response.finish_reasons': answer?.finishReason && [answer.finishReason],
    'gen_ai.usage.input_tokens': usage?.promptTokens ?? answer?.promptTokens,
    'gen_ai.usage.output_tokens': usage?.completionTokens,
    'gen_ai.usage.cache_read.input_tokens': usage?.cachedPromptTokens,
    'gen_ai.usage.cache_write.input_tokens': usage?.cacheWriteTokens,
    'gen_ai.usage.reasoning.output_tokens': usage?.reasoningTokens,
  }
}

/** The failure class of a provider's error, or the name of any other: messages may quote a prompt. */
export function errorType(error: unknown): string {
  if (error instanceof Error && 'failure' in error) return String(error.failure)
  return error instanceof Error ? error.name : '_OTHER'
}
