import { action, type OperationRun, defineFeature, type GatewayServices } from '@fairlead/core'
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
  prepare: ({ text }: GatewayServices, call: OperationRun, input) =>
    text.prepare(call, {
      model: input.model,
      prompt: `Translate into ${input.to}:\n\n${input.text}`,
      maxTokens: 1_000,
    }),
  async run({ text }: GatewayServices, call, plan) {
    const { content, model } = await text.generate(call, plan)
    return { text: content, model }
  },
  stream: {
    chunk: z
      .object({ text: z.string().describe('The next part of the translation.') })
      .meta({ id: 'TranslationChunk' }),
    whole: ({ text }) => [{ text }],
    async *run({ text }: GatewayServices, call, plan) {
      const parts = text.stream(call, plan)
      let next = await parts.next()
      for (; !next.done; next = await parts.next()) yield { text: next.value.content }
      return { text: next.value.content, model: next.value.model }
    },
  },
})

export const translations = defineFeature({
  name: 'translations',
  operations: { translate },
  sections: [{ name: 'Translations', description: 'Translated texts.', segments: ['translations'] }],
})
