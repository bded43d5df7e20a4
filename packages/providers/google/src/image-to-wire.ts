import { type ImageRequest, ProviderError } from '@fairlead/core/provider'
import { isSet, unsupportedFields } from '@fairlead/provider-toolkit'
import { isSmall, seedWarnings, type WireRequest } from './text-to-wire.ts'
import type { GenerationConfig } from './wire.ts'

/** @throws ProviderError for a size that no model supports */
export function imageToWire({ prompt, width, height, seed, ...request }: ImageRequest): WireRequest {
  const style = { field: 'style', issue: 'is not supported; describe the style in the prompt' }
  return {
    body: {
      contents: [{ role: 'user', parts: [{ text: prompt }] }],
      generationConfig: {
        responseModalities: ['IMAGE'],
        imageConfig: chooseFormat(width, height),
        ...(seed !== undefined && isSmall(seed) && { seed }),
      },
    },
    warnings: [
      ...unsupportedFields(request, ['quality']),
      ...(isSet(request, 'style') ? [style] : []),
      ...seedWarnings(seed),
    ],
  }
}

/** The sizes of 1K images and their aspect ratios (Gemini API docs: "Image generation", aspect ratios and image size). */
const ratios: ReadonlyMap<string, string> = new Map([
  ['1024x1024', '1:1'],
  ['1264x848', '3:2'],
  ['848x1264', '2:3'],
  ['1200x896', '4:3'],
  ['896x1200', '3:4'],
  ['1152x928', '5:4'],
  ['928x1152', '4:5'],
  ['1376x768', '16:9'],
  ['768x1376', '9:16'],
  ['1584x672', '21:9'],
])

/** The aspect ratio of a size, and its resolution if it is not 1K. */
export function chooseFormat(width: number, height: number): NonNullable<GenerationConfig['imageConfig']> {
  const atOneK = ratios.get(`${width}x${height}`)
  if (atOneK !== undefined) return { aspectRatio: atOneK }
  const atTwoK = ratios.get(`${width / 2}x${height / 2}`)
  if (atTwoK !== undefined) return { aspectRatio: atTwoK, imageSize: '2K' }
  const detail = `${width}x${height} is not a size of Gemini models`
  throw new ProviderError('invalid_request', detail, { field: 'size', detail })
}
