import { action, defineFeature } from '@fairlead/core'
import * as z from 'zod'

/** `POST /titles`: an operation of your own, with validation, access checks, quota, and an entry in the API reference. */
const title = action({
  name: 'title',
  summary: 'Writes a title for a text.',
  access: { scope: 'generate' },
  metered: true,
  rest: { method: 'POST', path: '/titles' },
  input: z.strictObject({ text: z.string().min(1).max(10_000).describe('The text.') }),
  output: z
    .object({ title: z.string().describe('The title, without a full stop.') })
    .meta({ id: 'Title', description: 'The title of a text.' }),
  generate: ({ text }) => ({ model: 'writer', prompt: `Write a title for this text: ${text}` }),
  map: ({ content }) => ({ title: content.trim().replace(/\.$/, '') }),
})

export const titles = defineFeature({
  name: 'titles',
  operations: { title },
  sections: [{ name: 'Titles', description: 'Titles of texts.', segments: ['titles'] }],
})
