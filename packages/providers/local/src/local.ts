import type { Provider } from '@fairlead/core/provider'
import { localAnalysis, type LocalAnalysisOptions } from './analysis/local-analysis.ts'
import { localEmbeddings, type LocalEmbeddingsOptions } from './embedding/local-embeddings.ts'
import { localImages, type LocalImagesOptions } from './images/local-images.ts'
import { localText, type LocalTextOptions } from './text/local-text.ts'

export interface LocalOptions {
  readonly text?: LocalTextOptions
  /** Of `vista` and `motif`, which `@fairlead/provider-local-images` brings. */
  readonly images?: LocalImagesOptions
  readonly analysis?: LocalAnalysisOptions
  readonly embeddings?: LocalEmbeddingsOptions
}

/**
 * Text, embeddings and analysis on this machine alone: no network, no model weights, no configuration. With
 * `@fairlead/provider-local-images` installed, images too.
 */
export function local({ text, images, analysis, embeddings }: LocalOptions = {}): Provider {
  const painter = localImages(images)
  const reader = localAnalysis(analysis)
  const writer = localText(text, reader.analyze)
  const embedder = localEmbeddings(embeddings)
  return {
    contract: 2,
    id: 'local',
    models: [...writer.models, embedder.model, ...(painter?.models ?? [])],
    analyzers: reader.analyzers,
    capacities: [...(painter ? [painter.capacity] : []), reader.capacity, embedder.capacity],
    generateText: writer.generateText,
    streamText: writer.streamText,
    embed: embedder.embed,
    ...(painter && { generateImage: painter.generateImage }),
    analyze: reader.analyze,
    warmUp: writer.warmUp,
    async close() {
      await Promise.all([painter?.close(), reader.close(), embedder.close()])
    },
  }
}
