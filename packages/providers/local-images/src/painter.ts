import type { ImageModel } from '@fairlead/core/provider'

const sizes = [
  '1024x1024',
  '256x256',
  '512x512',
  '768x768',
  '1024x1792',
  '1792x1024',
  '1536x1024',
  '1024x1536',
] as const satisfies ImageModel['sizes']

/** The two image models, each with an honest word on what it is. */
const models: readonly ImageModel[] = [
  {
    id: 'vista',
    name: 'Vista',
    description:
      'Paints landscapes, seas, cities and space by code, from the words of the prompt; procedural, no neural network. Knows some eighty objects; cannot draw people or animals, and says what it left out.',
    type: 'image',
    maxTokens: 4096,
    sizes,
    seed: true,
    pricing: { input: 0, output: 0 },
  },
  {
    id: 'motif',
    name: 'Motif',
    description:
      'Makes abstract and pattern art by code, from the words, mood and colors of the prompt; procedural, no neural network. Patterns have no subject: it cannot draw things, people or animals, and says so.',
    type: 'image',
    maxTokens: 4096,
    sizes,
    seed: true,
    pricing: { input: 0, output: 0 },
  },
]

// Beside this file in `src`, and beside all files in `dist`: the worker's file ends as this one does.
const ending = import.meta.url.slice(import.meta.url.lastIndexOf('.'))

/**
 * The image models `vista` and `motif` of the provider `local`. `local()` of `@fairlead/provider-local` finds them; a bundled
 * program passes them.
 *
 * @example
 * local({ images: { painter } })
 */
export const painter: { readonly models: readonly ImageModel[]; readonly worker: URL } = {
  models,
  worker: new URL(`./worker${ending}`, import.meta.url),
}
