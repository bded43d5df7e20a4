import type { Provider } from '@fairlead/core/provider'
import { localAnalysis, type LocalAnalysisOptions } from './analysis/local-analysis.ts'
import { localImages, type LocalImagesOptions } from './images/local-images.ts'
import { localText, type LocalTextOptions } from './text/local-text.ts'

export interface LocalOptions {
  readonly text?: LocalTextOptions
  readonly images?: LocalImagesOptions
  readonly analysis?: LocalAnalysisOptions
}

/** Text, images and analysis on this machine alone: no network, no model weights, no configuration. */
export function local({ text, images, analysis }: LocalOptions = {}): Provider {
  const writer = localText(text)
  const painter = localImages(images)
  const reader = localAnalysis(analysis)
  return {
    contract: 1,
    id: 'local',
    models: [...writer.models, ...painter.models],
    analyzers: reader.analyzers,
    capacities: [painter.capacity, reader.capacity],
    generateText: writer.generateText,
    streamText: writer.streamText,
    generateImage: painter.generateImage,
    analyze: reader.analyze,
    async warmUp() {
      await Promise.all([writer.warmUp(), painter.warmUp(), reader.warmUp()])
    },
    async close() {
      await Promise.all([painter.close(), reader.close()])
    },
  }
}
