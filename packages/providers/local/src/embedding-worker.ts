import { type EmbeddedText, embedText } from './embedding/embed-text.ts'

/** Texts whose vectors are computed in one run of a thread. */
export interface EmbeddingBatch {
  readonly texts: readonly string[]
  readonly dimensions: number
}

export function embedTexts({ texts, dimensions }: EmbeddingBatch): readonly EmbeddedText[] {
  return texts.map((text) => embedText(text, dimensions))
}
