import { type ImageAnswer, type ImageRequest, isObject, type Issue, ProviderError } from '@fairlead/core/provider'
import { isSet } from '@fairlead/provider-toolkit'
import type { AiSdkImageModel, AnyImageModel } from './options.ts'
import { optionsFor } from './package-options.ts'
import { toResponse } from './to-finish.ts'
import { toIssues } from './to-issues.ts'

export async function generateImage(
  entry: AiSdkImageModel,
  request: ImageRequest,
  signal: AbortSignal,
): Promise<ImageAnswer> {
  const { images, usage, providerMetadata, warnings, isRetryable, response: reply } = await ask(entry, request, signal)
  const [image] = images
  if (image === undefined) throw new ProviderError(isRetryable ? 'retry' : 'give_up', 'the model returned no image')
  const revisedPrompt = readRevisedPrompt(providerMetadata)
  const response = toResponse(reply)
  return {
    png: await toPng(typeof image === 'string' ? Buffer.from(image, 'base64') : image),
    ...(revisedPrompt !== undefined && { revisedPrompt }),
    ...(usage?.inputTokens !== undefined && { promptTokens: usage.inputTokens }),
    ...(response && { response }),
    warnings: [...toIssues(warnings, kept), ...unhonored(entry, request)],
  }
}

/** The size needs no warning: the image has it, or the call fails. */
const kept = ['size']

type Result = Awaited<ReturnType<AnyImageModel['doGenerate']>>
/** Facts that only later versions of the specification report. */
type LateResult = Result & {
  readonly usage?: { readonly inputTokens?: number | undefined }
  readonly isRetryable?: boolean
}

function ask(entry: AiSdkImageModel, request: ImageRequest, abortSignal: AbortSignal): PromiseLike<LateResult> {
  const { prompt, width, height, seed } = request
  const aspectRatio = entry.aspectRatios?.[`${width}x${height}`]
  return entry.model.doGenerate({
    prompt,
    n: 1,
    size: aspectRatio === undefined ? `${width}x${height}` : undefined,
    aspectRatio,
    seed,
    files: undefined,
    mask: undefined,
    providerOptions: optionsFor(entry, request) ?? {},
    abortSignal,
  })
}

/** The AI SDK has no parameters for these. A `providerOptions` function is assumed to handle them. */
function unhonored({ providerOptions }: AiSdkImageModel, request: ImageRequest): readonly Issue[] {
  if (typeof providerOptions === 'function') return []
  const issue = 'is not handed on to the model'
  return (['quality', 'style'] as const).filter((field) => isSet(request, field)).map((field) => ({ field, issue }))
}

function readRevisedPrompt(metadata: Result['providerMetadata']): string | undefined {
  const firsts = Object.values(metadata ?? {}).map(({ images }) => images?.[0])
  const revised = firsts.map((first) => (isObject(first) ? first['revisedPrompt'] : undefined))
  return revised.find((prompt) => typeof prompt === 'string')
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** Larger than any size that a model can list. */
const maxPixels = 64 * 1024 * 1024

/** The image as a PNG. Other formats are converted with sharp, if it is installed. */
async function toPng(image: Uint8Array): Promise<Uint8Array> {
  if (signature.equals(image.subarray(0, signature.length))) return image
  const sharp = await loadSharp()
  try {
    return await sharp(image, { limitInputPixels: maxPixels }).png().toBuffer()
  } catch (error) {
    throw new ProviderError('retry', 'the image cannot be decoded', { cause: error })
  }
}

async function loadSharp() {
  try {
    return (await import('sharp')).default
  } catch (error) {
    throw new ProviderError('give_up', 'the model returns images that are not PNG; install sharp to convert them', {
      cause: error,
    })
  }
}
