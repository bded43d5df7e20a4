import { analyze } from '../operations/analyze/analyze.ts'
import { generateImage } from '../operations/generate/generate-image.ts'
import { generateText } from '../operations/generate/generate-text.ts'
import { getModel } from '../operations/models/get-model.ts'
import { listModels } from '../operations/models/list-models.ts'
import { listProviders } from '../operations/providers/list-providers.ts'
import { defineFeature } from '../runtime/feature.ts'

/** Models and what they do. Every core has this feature. */
export const gateway = defineFeature({
  name: 'gateway',
  operations: {
    generate: generateText,
    generateImage,
    analyze,
    models: { list: listModels, get: getModel },
    providers: { list: listProviders },
  },
  sections: [
    { name: 'Generation', description: 'Text and image generation.', segments: ['generate', 'images'] },
    { name: 'Analysis', description: 'Sentiment, entities, and keywords of a text.', segments: ['analyze'] },
    { name: 'Models', description: 'Available models and their providers.', segments: ['models', 'providers'] },
  ],
})
