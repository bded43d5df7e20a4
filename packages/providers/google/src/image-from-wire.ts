import { redraw } from '#redraw'
import { type ImageAnswer, type ImageRequest, type Issue, ProviderError } from '@fairlead/core/provider'
import type { ImageTokenPrices } from '@fairlead/provider-toolkit'
import { firstCandidate, requireAllowed, readResponse } from './finish.ts'
import { readImageHeader } from './image-header.ts'
import type { GenerateReply, WirePart, WireUsage } from './wire.ts'

/** @param prices of the model's tokens, if they are known */
export async function imageFromWire(
  reply: GenerateReply,
  request: ImageRequest,
  warnings: readonly Issue[],
  prices: ImageTokenPrices | undefined,
): Promise<ImageAnswer> {
  const { content, finishReason = 'missing' } = firstCandidate(reply)
  // Drafts are marked as thoughts; the last other image is the finished one.
  const drawn = content?.parts?.findLast(isImage)?.inlineData
  if (!drawn) {
    requireAllowed(reply)
    throw new ProviderError('retry', `the response has no image; its finish reason is ${finishReason}`)
  }
  const { usageMetadata: usage } = reply
  const image = await toPng(Buffer.from(drawn.data, 'base64'), request).catch((error: unknown) => {
    throw new ProviderError('retry', `the image cannot be decoded: ${String(error)}`)
  })
  return {
    png: image.png,
    warnings: [...warnings, ...image.warnings],
    ...(usage && { promptTokens: usage.promptTokenCount }),
    ...(usage && prices && { costUsd: imageCost(usage, prices) }),
    response: readResponse(reply),
  }
}

function isImage({ thought, inlineData }: WirePart): boolean {
  return thought !== true && inlineData?.mimeType.startsWith('image/') === true
}

const tokensPerPrice = 1_000_000

/** Text and thinking tokens cost less than image tokens. */
function imageCost(usage: WireUsage, { input, textOutput, imageOutput }: ImageTokenPrices): number {
  // Without details, all of the answer counts as the image: it has little text.
  const imageTokens =
    usage.candidatesTokensDetails
      ?.filter(({ modality }) => modality === 'IMAGE')
      .reduce((sum, { tokenCount }) => sum + (tokenCount ?? 0), 0) ??
    usage.candidatesTokenCount ??
    0
  const textTokens = Math.max(0, (usage.candidatesTokenCount ?? 0) - imageTokens) + (usage.thoughtsTokenCount ?? 0)
  return (usage.promptTokenCount * input + textTokens * textOutput + imageTokens * imageOutput) / tokensPerPrice
}

/** Larger than any model's images. */
const maxPixels = 64 * 1024 * 1024

/**
 * The image as a PNG of exactly this size. The API returns PNG or JPEG, sometimes a few pixels larger or smaller than
 * documented.
 */
async function toPng(image: Buffer, { width, height }: ImageRequest) {
  const drawn = readImageHeader(image)
  if (drawn.width * drawn.height > maxPixels) throw new Error(`it has ${drawn.width}x${drawn.height} pixels`)
  const fits = drawn.width === width && drawn.height === height
  if (fits && drawn.type === 'png') return { png: image, warnings: [] }
  const issue = `the model returned ${drawn.width}x${drawn.height}; the image was scaled`
  return { png: await redraw(image, drawn, { width, height }), warnings: fits ? [] : [{ field: 'size', issue }] }
}
