import type { AnalysisRequest, TextRequest } from '../../ports/provider.ts'
import { analysisSchema } from './analysis-schema.ts'
import type { TextModel } from '../../values/model.ts'

/** Room for the longest analysis, and for what a model thinks before it. */
const mostTokens = 16_384
const leastTokens = 256
/** Fewer than English has, so that the estimate of the prompt is rather too high. */
const charactersPerToken = 3
/** Of other scripts a token has about one. */
const firstBeyondAscii = 0x80

/** What a model is asked, by the id that its provider knows it by: an answer in JSON, as sure as it can be. */
export function analysisRequest(
  id: string,
  { maxTokens, contextSize = Infinity }: TextModel,
  { tasks }: Pick<AnalysisRequest, 'tasks'>,
  prompt: string,
): TextRequest {
  let others = 0
  for (let at = 0; at < prompt.length; at++) if (prompt.charCodeAt(at) >= firstBeyondAscii) others++
  const room = contextSize - Math.ceil((prompt.length - others) / charactersPerToken) - others
  return {
    model: id,
    prompt,
    maxTokens: Math.min(maxTokens, mostTokens, Math.max(room, leastTokens)),
    temperature: 0,
    topP: 1,
    frequencyPenalty: 0,
    presencePenalty: 0,
    responseSchema: analysisSchema(tasks),
  }
}
