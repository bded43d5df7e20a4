import { type EmbeddingAnswer, type EmbeddingRequest, ProviderError, type ResponseFacts } from '@fairlead/core/provider'
import type { AiSdkEmbeddingModel, AnyEmbeddingModel } from './options.ts'
import { ignoredOptions, mergeOptions, type ModelCall } from './package-options.ts'
import { toResponse } from './to-finish.ts'
import { type AnyWarning, toIssues } from './to-issues.ts'

export async function embed(call: ModelCall<AiSdkEmbeddingModel, EmbeddingRequest>): Promise<EmbeddingAnswer> {
  const { entry, request, signal: abortSignal } = call
  const { dimensions } = request
  const providerOptions = mergeOptions(call)
  const options = {
    ...(dimensions !== undefined && { dimensions }),
    ...(providerOptions && { providerOptions }),
    abortSignal,
  }
  const embeddings: number[][] = []
  let promptTokens: number | undefined = 0
  let response: ResponseFacts | undefined
  const warnings = ignoredOptions(call)
  for (const values of await splitTexts(request.texts, entry.model)) {
    const result: Result = await entry.model.doEmbed({ ...options, values })
    const vectors = result.embeddings
    if (vectors.length !== values.length || vectors.some(({ length }) => length === 0)) {
      throw new ProviderError('retry', `the model returned ${vectors.length} embeddings for ${values.length} texts`)
    }
    embeddings.push(...vectors)
    response = toResponse(result.response)
    const { tokens } = result.usage ?? {}
    promptTokens = promptTokens === undefined || tokens === undefined ? undefined : promptTokens + tokens
    warnings.push(...toIssues(result.warnings, []))
  }
  return {
    embeddings,
    ...(promptTokens !== undefined && { promptTokens }),
    response,
    warnings: [...warnings, ...call.leftOut],
  }
}

type Result = Awaited<ReturnType<AnyEmbeddingModel['doEmbed']>> & { readonly warnings?: readonly AnyWarning[] }

/** As many texts as the model takes in one call. */
async function splitTexts(texts: readonly string[], model: AnyEmbeddingModel): Promise<readonly string[][]> {
  const max = (await model.maxEmbeddingsPerCall) ?? texts.length
  const chunks: string[][] = []
  for (let from = 0; from < texts.length; from += max) chunks.push(texts.slice(from, from + max))
  return chunks
}
