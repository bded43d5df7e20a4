import type { ImageRequest, Issue } from '@fairlead/core/provider'
import { unsupportedFields } from '@fairlead/provider-toolkit'

export interface ImageRequestBody {
  readonly body: Readonly<Record<string, unknown>>
  readonly warnings: readonly Issue[]
}

/** The fields that a family of models takes besides model, prompt, and size. */
interface ImageFamily {
  readonly ids: RegExp
  readonly fields: (request: ImageRequest) => Readonly<Record<string, unknown>>
  readonly ignores: readonly ('quality' | 'style' | 'seed')[]
}

const families: readonly ImageFamily[] = [
  // Their default is PNG in base64, and they reject the field that asks for it.
  {
    ids: /^gpt-image|^chatgpt-image/,
    fields: ({ quality, qualityLevel }) => ({ quality: qualityLevel ?? (quality === 'hd' ? 'high' : 'medium') }),
    ignores: ['style', 'seed'],
  },
  {
    ids: /^dall-e-3/,
    fields: ({ quality, style }) => ({ quality, style, response_format: 'b64_json' }),
    ignores: ['seed'],
  },
  { ids: /^/, fields: () => ({ response_format: 'b64_json' }), ignores: ['quality', 'style', 'seed'] },
]

export function toImageRequest(request: ImageRequest): ImageRequestBody {
  const { model, prompt, width, height } = request
  const family = families.find(({ ids }) => ids.test(model))!
  return {
    body: { model, prompt, n: request.n ?? 1, size: `${width}x${height}`, ...family.fields(request) },
    warnings: unsupportedFields(request, family.ignores),
  }
}
