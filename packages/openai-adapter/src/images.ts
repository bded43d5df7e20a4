import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FairleadCore } from '@fairlead/core/adapter'
import type { Image } from '@fairlead/core/types'
import type { JsonObject, ResponseFacts } from '@fairlead/core/provider'
import { type Endpoint, type Fields, invalid, isPresent } from '@fairlead/http'
import { nativeFields, unknownFields } from './fields.ts'

/** The settings that every provider gets in the form of the contract. */
const settings = ['size', 'quality', 'style', 'n', 'output_format']
/** Fields that a native request leaves out. */
const interpreted = ['model', 'prompt', 'response_format', 'stream', 'partial_images', 'seed', 'cache']
const known = [...interpreted, ...settings]
const dialect = 'openai-chat'

/** `POST /images/generations` */
export const imageGenerations: Endpoint = {
  method: 'POST',
  path: '/images/generations',
  operation: 'generateImage',
  translate({ body, core }) {
    rejectUnsupported(body)
    const { model, prompt, size, quality, style, seed, cache, n, response_format: format } = body
    const ignored = unknownFields(body, known)
    const fields = Object.entries(nativeFields(body, interpreted, ['n', 'background'])).filter(([, value]) =>
      isPresent(value),
    )
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
      native: { dialect, fields: Object.fromEntries(fields), messages: [], required: requiredIn(body) },
      ignored: (provider) => (provider !== undefined && core.supportsDialect(provider, dialect) ? [] : ignored),
      toBody: ({ data }) => (isInline(format, model) ? toInlineList(data, core) : toList(data)),
    }
  },
}

/** The fields that only a provider of the API can do as asked: another type of file, a background, and new qualities. */
function requiredIn({ output_format: type, background, quality }: Fields): readonly string[] {
  return [
    ...(isPresent(type) && type !== 'png' ? ['output_format'] : []),
    ...(background === 'transparent' ? ['background'] : []),
    ...(typeof quality === 'string' && !levels.has(quality) && !qualities.has(quality) ? ['quality'] : []),
  ]
}

function rejectUnsupported({ response_format: format, output_format: type, stream }: Fields): void {
  if (stream === true) throw invalid('stream', 'is not supported for images')
  if (typeof format === 'string' && format !== 'url' && format !== 'b64_json') {
    throw invalid('response_format', 'must be "url" or "b64_json"')
  }
  // It would be a page with its own links and styles.
  if (type === 'svg') throw invalid('output_format', 'must be "png", "jpeg", "webp", or "gif"')
}

/** The levels of OpenAI's newer models. The older ones have the qualities of `generateImage`. */
const levels: ReadonlySet<unknown> = new Set(['low', 'medium', 'high', 'auto'])

const qualities: ReadonlySet<unknown> = new Set(['standard', 'hd'])

/** A quality that core does not know reaches only a provider of the API, which gets it as it is. */
function toQuality(quality: unknown): Fields {
  if (levels.has(quality)) return { qualityLevel: quality }
  return typeof quality !== 'string' || qualities.has(quality) ? { quality: quality ?? undefined } : {}
}

/** These of OpenAI's models always return the image itself, so clients ask them without `response_format`. */
const inlineModels = /^(?:chatgpt|gpt)-image/

function isInline(format: unknown, model: unknown): boolean {
  return format === 'b64_json' || ((format ?? undefined) === undefined && inlineModels.test(String(model)))
}

interface OwnAnswer {
  /** The answer of a provider of the API. */
  readonly answer?: { readonly response?: ResponseFacts | undefined }
}

/** OpenAI's facts besides its images: the size, the quality, and the usage. */
function ownFields({ answer }: OwnAnswer): JsonObject {
  return answer?.response?.native?.[dialect] ?? {}
}

function toList({ created, revisedPrompt, ...image }: Image & OwnAnswer) {
  const revised = revisedPrompt === undefined ? {} : { revised_prompt: revisedPrompt }
  return { created, ...ownFields(image), data: listImages(image).map(({ url }) => ({ url, ...revised })) }
}

function listImages({ images, ...image }: Pick<Image, 'id' | 'url' | 'images'>): readonly Pick<Image, 'id' | 'url'>[] {
  return images ?? [image]
}

/** As JSON text: the base64 of an image has nothing to escape. */
async function toInlineList(
  { created, revisedPrompt, ...image }: Image & OwnAnswer,
  core: FairleadCore,
): Promise<string> {
  const revised = revisedPrompt === undefined ? '' : `,"revised_prompt":${JSON.stringify(revisedPrompt)}`
  const entries: string[] = []
  for (const { id } of listImages(image)) {
    const png = await core.openImage(id)
    if (!png) throw new Error(`the image ${id} is not in the store`)
    entries.push(`{"b64_json":"${await toBase64(png)}"${revised}}`)
  }
  const head = JSON.stringify({ created, ...ownFields(image) })
  return `${head.slice(0, -1)},"data":[${entries.join(',')}]}`
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
