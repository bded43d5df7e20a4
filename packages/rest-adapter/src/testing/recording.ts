import {
  type AnalysisRequest,
  type ImageRequest,
  type Provider,
  textAnswer,
  type TextModel,
  type TextRequest,
} from '@fairlead/core/provider'
import { blankPng, fakeImageModel, fakeTextModel } from '@fairlead/testing'

/** A provider that records the requests of core. */
export interface Recording extends Provider {
  readonly texts: TextRequest[]
  readonly images: ImageRequest[]
  readonly analyses: AnalysisRequest[]
}

export function recording(facts: Partial<TextModel> = {}): Recording {
  const texts: TextRequest[] = []
  const images: ImageRequest[] = []
  const analyses: AnalysisRequest[] = []
  return {
    contract: 2,
    id: 'recorder',
    models: [fakeTextModel(facts), fakeImageModel()],
    analyzers: [{ id: 'eyes', tasks: { sentiment: ['en'], entities: ['en'], keywords: ['en', 'de'] } }],
    texts,
    images,
    analyses,
    async generateText(request) {
      texts.push(request)
      return textAnswer('noted', { usage: { promptTokens: 1, completionTokens: 1 } })
    },
    async generateImage(request) {
      images.push(request)
      return { png: blankPng(request.width, request.height) }
    },
    async analyze(request) {
      analyses.push(request)
      return { analysis: { sentiment: { score: 0, label: 'neutral' }, entities: [], keywords: [] } }
    },
  }
}
