import type { Model } from '@fairlead/core/provider'
import type { FindKnown, HttpClient } from '@fairlead/provider-toolkit'
import { findRules } from './model-rules.ts'
import { modelList, type WireModel } from './wire.ts'

const cautiousMaxTokens = 8_192
/** Only the names of other listed models tell that they do not write text. */
const notText = /image|banana|tts|audio|live|embedding|robotics|computer-use|research|omni|translate/

/** The models that the key can use; the catalog's facts take precedence. */
export async function fetchModels(
  client: HttpClient,
  known: FindKnown,
  signal: AbortSignal,
): Promise<readonly Model[]> {
  const { models } = await client.getJson({ path: '/models?pageSize=1000', schema: modelList, signal })
  return models
    .filter(({ supportedGenerationMethods: methods = [] }) =>
      methods.some((method) => method === 'generateContent' || method === 'embedContent'),
    )
    .flatMap((model) => {
      const id = model.name.replace(/^models\//, '')
      return known(id) ?? (notText.test(id) ? [] : textModel(id, model))
    })
}

/** A model that the API does not list; undefined if its name says that it does not write text. */
export function assumedModel(id: string): Model | undefined {
  return notText.test(id) ? undefined : textModel(id, {})
}

/**
 * The capabilities of every Gemini. The list also has Gemma, whose older versions take no system instruction and no
 * tools.
 */
const geminiCapabilities = { chat: true, tools: true, vision: true, structured: true } as const

function textModel(id: string, { displayName, inputTokenLimit, outputTokenLimit }: Partial<WireModel>): Model {
  return {
    type: 'text',
    id,
    name: displayName ?? id,
    description: 'By Google.',
    ...(outputTokenLimit ? { maxTokens: outputTokenLimit } : { maxTokens: cautiousMaxTokens, maxTokensUnknown: true }),
    ...(inputTokenLimit !== undefined && { contextSize: inputTokenLimit }),
    ...(id.startsWith('gemini-') && geminiCapabilities),
    ...(findRules(id).minimumThinking && { reasoning: true }),
  }
}
