import { action, defineFeature } from '@fairlead/core'
import * as z from 'zod'

const translation = z
  .object({
    text: z.string().describe('The translated text.'),
    model: z.string().describe('The model that translated it.'),
  })
  .meta({ id: 'Translation', description: 'A translated text.' })

/** Translates a text with a text model. */
const translate = action({
  name: 'translate',
  summary: 'Translates a text.',
  access: { scope: 'generate' },
  metered: true,
  rest: { method: 'POST', path: '/translations' },
  graphql: { mutation: 'translate' },
  input: z.strictObject({
    text: z.string().min(1).max(10_000).describe('The text to translate.'),
    to: z.enum(['de', 'en', 'es', 'fr']).describe('The target language.'),
    model: z.string().describe('The id of a text model.'),
  }),
  output: translation,
  generate: ({ text, to, model }) => ({ model, prompt: `Translate into ${to}:\n\n${text}`, maxTokens: 1_000 }),
  map: ({ content, model }) => ({ text: content, model }),
  stream: {
    chunk: z
      .object({ text: z.string().describe('The next part of the translation.') })
      .meta({ id: 'TranslationChunk' }),
    map: ({ content }) => ({ text: content }),
    whole: ({ text }) => [{ text }],
  },
})

export const translations = defineFeature({
  name: 'translations',
  operations: { translate },
  sections: [{ name: 'Translations', description: 'Translated texts.', segments: ['translations'] }],
})
