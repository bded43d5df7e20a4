import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FairleadCore } from '@fairlead/core/adapter'
import type { Image } from '@fairlead/core/types'
import { type Endpoint, type Fields, invalid } from '@fairlead/http'
import { unknownFields } from './fields.ts'

const settings = ['size', 'quality', 'style', 'n', 'response_format', 'output_format']
const known = ['model', 'prompt', ...settings, 'stream', 'seed', 'cache']

/** `POST /images/generations` */
export const imageGenerations: Endpoint = {
  method: 'POST',
  path: '/images/generations',
  operation: 'generateImage',
  translate({ body, core }) {
    rejectUnsupported(body)
    const { model, prompt, size, quality, style, seed, cache, n, response_format: format } = body
    return {
      input: {
        model,
        prompt,
        size: size === 'auto' ? undefined : (size ?? undefined),
        ...toQuality(quality),
        n: n ?? undefined,
        style: style ?? undefined,
        seed: seed ?? undefined,
        cache: cache ?? undefined,
      },
      ignored: unknownFields(body, known),
      toBody: ({ data }) => (isInline(format, model) ? toInlineList(data, core) : toList(data)),
    }
  },
}

function rejectUnsupported({ response_format: format, output_format: type, stream }: Fields): void {
  if (stream === true) throw invalid('stream', 'is not supported for images')
  if (typeof format === 'string' && format !== 'url' && format !== 'b64_json') {
    throw invalid('response_format', 'must be "url" or "b64_json"')
  }
  if (typeof type === 'string' && type !== 'png') throw invalid('output_format', 'must be "png"')
}

/** The levels of OpenAI's newer models. The older ones have the qualities of `generateImage`. */
const levels: ReadonlySet<unknown> = new Set(['low', 'medium', 'high', 'auto'])

function toQuality(quality: unknown): Fields {
  return levels.has(quality) ? { qualityLevel: quality } : { quality: quality ?? undefined }
}

/** These of OpenAI's models always return the image itself, so clients ask them without `response_format`. */
const inlineModels = /^(?:chatgpt|gpt)-image/

function isInline(format: unknown, model: unknown): boolean {
  return format === 'b64_json' || ((format ?? undefined) === undefined && inlineModels.test(String(model)))
}

function toList({ created, revisedPrompt, ...image }: Image) {
  const revised = revisedPrompt === undefined ? {} : { revised_prompt: revisedPrompt }
  return { created, data: imagesOf(image).map(({ url }) => ({ url, ...revised })) }
}

function imagesOf({ images, ...image }: Pick<Image, 'id' | 'url' | 'images'>): readonly Pick<Image, 'id' | 'url'>[] {
  return images ?? [image]
}

/** As JSON text: the base64 of an image has nothing to escape. */
async function toInlineList({ created, revisedPrompt, ...image }: Image, core: FairleadCore): Promise<string> {
  const revised = revisedPrompt === undefined ? '' : `,"revised_prompt":${JSON.stringify(revisedPrompt)}`
  const entries: string[] = []
  for (const { id } of imagesOf(image)) {
    const png = await core.openImage(id)
    if (!png) throw new Error(`the image ${id} is not in the store`)
    entries.push(`{"b64_json":"${await toBase64(png)}"${revised}}`)
  }
  return `{"created":${created},"data":[${entries.join(',')}]}`
}

/** A multiple of three, so that the base64 of slices can be joined. */
const sliceBytes = 3 * 1_048_576

/** Gives the event loop a turn between slices of a large image. */
async function toBase64(bytes: Uint8Array): Promise<string> {
  let text = ''
  for (let start = 0; start < bytes.length; start += sliceBytes) {
    if (start > 0) await nextTurn()
    const slice = bytes.subarray(start, start + sliceBytes)
    text += Buffer.from(slice.buffer, slice.byteOffset, slice.byteLength).toString('base64')
  }
  return text
}
