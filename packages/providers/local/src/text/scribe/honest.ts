/** What scribe can't do, and says so. */
const reasons = {
  facts: 'Scribe composes text and knows no facts, so it would only be guessing here',
  math: 'Scribe composes text and does not calculate',
  code: 'Scribe composes prose and does not write code',
  rewriting: 'Scribe composes text and does not reword what others wrote',
  translation: 'Scribe composes in English and does not translate',
  language: 'Scribe reads and composes English only',
} as const

/** One honest sentence: why not, and how to have it answered. */
export function needsProvider(reason: keyof typeof reasons): string {
  return `${reasons[reason]}; connect a model provider for this, for example by setting OPENAI_API_KEY or OLLAMA_HOST.`
}
