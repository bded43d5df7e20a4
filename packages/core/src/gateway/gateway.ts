import type { Edge } from '../runtime/loaders.ts'
import { operationsByName } from '../runtime/feature.ts'
import { analyze } from './analyze.ts'
import { countTokens } from './text/count-tokens.ts'
import { embed } from './embed.ts'
import { generateImage } from './images/generate-image.ts'
import { generateText } from './text/generate-text.ts'
import { findModels, getModel, listAnalyzers, listModels } from './models.ts'
import { listProviders } from './providers.ts'
import { memoryImages } from './images/images.ts'
import { defineFeature, type InferenceServices } from './services.ts'

const modelEdge: Edge = {
  description: 'The model that produced this. Null if it is no longer available.',
  loader: findModels,
  idOf: ({ model: id }) => id,
}

/** Models, generation, embeddings and analysis. Every core has this feature. */
export const gateway = defineFeature({
  name: 'gateway',
  scopes: {
    generate: 'Generate text and images, and embed texts.',
    analyze: 'Analyze texts.',
    models: 'List models.',
  },
  memoryTables: ({ undo }) => ({ images: memoryImages(undo) }),
  edges: { Embeddings: { model: modelEdge }, Generation: { model: modelEdge }, Image: { model: modelEdge } },
  operations: {
    generate: generateText,
    countTokens,
    generateImage,
    embed,
    analyze,
    models: { list: listModels, get: getModel },
    analyzers: { list: listAnalyzers },
    providers: { list: listProviders },
  },
  async removeUserData(tx, call, userId) {
    const images = await tx.images.removeOfUser(userId)
    call.afterCommit(({ blobs }: InferenceServices) => blobs.delete(images))
  },
  sections: [
    {
      name: 'Generation',
      description: 'Text and image generation, and embeddings.',
      segments: ['generate', 'images', 'embeddings'],
    },
    { name: 'Analysis', description: 'Sentiment, entities, and keywords of a text.', segments: ['analyze'] },
    {
      name: 'Models',
      description: 'Available models and their providers.',
      segments: ['models', 'analyzers', 'providers'],
    },
  ],
})

/**
 * The operations of the gateway by name, for `core.run`.
 *
 * @example
 *   await core.run(operations.generate, credentials, input)
 */
export const operations = operationsByName(gateway.operations)
