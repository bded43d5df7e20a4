import { type ImageRequest, type Issue, ProviderError } from '@fairlead/core/provider'
import { formatOf } from './image-sizes.ts'
import { isSmall, seedWarnings, type WireRequest } from './text-to-wire.ts'

/** @throws ProviderError for a size that no model supports */
export function imageToWire(request: ImageRequest): WireRequest {
  const { prompt, width, height, seed } = request
  const imageConfig = formatOf(width, height)
  if (!imageConfig) {
    const detail = `${width}x${height} is not a size of Gemini models`
    throw new ProviderError('invalid_request', detail, { field: 'size', detail })
  }
  return {
    body: {
      contents: [{ role: 'user', parts: [{ text: prompt }] }],
      generationConfig: {
        responseModalities: ['IMAGE'],
        imageConfig,
        ...(seed !== undefined && isSmall(seed) && { seed }),
      },
    },
    warnings: [...unsupported(request), ...seedWarnings(seed)],
  }
}

function unsupported({ quality, style }: ImageRequest): Issue[] {
  return [
    ...(quality === 'standard' ? [] : [{ field: 'quality', issue: 'is not supported by this model and was ignored' }]),
    ...(style === 'natural' ? [] : [{ field: 'style', issue: 'is not supported; describe the style in the prompt' }]),
  ]
}
