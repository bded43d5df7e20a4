import * as z from 'zod'
import { requestImage, type CheckedImage } from './request-image.ts'
import { imageCost, type ImageKind } from '../cost.ts'
import { estimateOf } from '../estimate.ts'
import { imageEvents } from '../events.ts'
import type { Attempt, Owner } from '../routing/attempt.ts'
import { noteUpstream } from '../provider-responses.ts'
import { ownerOf } from '../../runtime/run/call.ts'
import { invalidRequest } from '../../runtime/errors.ts'
import type { ImageModel } from '../model.ts'
import {
  cacheFlag,
  integerBetween,
  modelId,
  textUpTo,
  namedObject,
  namedEnum,
} from '../../runtime/schema/field-schemas.ts'
import { findRoute } from '../text/prepare-text.ts'
import { textSize } from '../text/prompt-size.ts'
import type { RequestSize } from '../routing/order-targets.ts'
import type { ModelRoute, Target } from '../routing/route.ts'
import { action } from '../services.ts'

const imageInput = z.strictObject({
  prompt: textUpTo(100_000).describe('Description of the image.'),
  model: modelId.describe('Id of an image model.'),
  size: z
    .string()
    .default('1024x1024')
    .describe('Image size, as `<width>x<height>`. One of the sizes that the model lists.'),
  quality: namedEnum('ImageQuality', 'Quality of an image.', { standard: 'Standard quality.', hd: 'More detail.' })
    .default('standard')
    .describe('Image quality.'),
  qualityLevel: namedEnum('ImageQualityLevel', 'Quality of an image in the levels of OpenAI’s models.', {
    low: 'Quick and cheap.',
    medium: 'As `standard`.',
    high: 'As `hd`.',
    auto: 'The model decides.',
  })
    .optional()
    .describe('Quality in the levels of OpenAI’s models, instead of `quality`. Other models use the nearest quality.'),
  style: namedEnum('ImageStyle', 'Style of an image.', {
    natural: 'Natural colors.',
    vivid: 'Strong colors and contrast.',
  })
    .default('natural')
    .describe('Image style.'),
  seed: integerBetween(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('The same seed and request give the same image, if the model supports it.'),
  n: z
    .int()
    .min(1)
    .max(10)
    .optional()
    .describe('Number of images. More than 1 only for models that draw several in one request. Default: 1.'),
  cache: cacheFlag,
})

const address = {
  id: z.string().describe('Image id: `img_` and digits.'),
  url: z.string().describe('Address of the PNG. Anyone who knows it can download the image.'),
}

const image = namedObject('Image', 'A generated image.', {
  ...address,
  images: z
    .array(z.object(address).meta({ id: 'ImageAddress', description: 'One of several images.' }))
    .optional()
    .describe('All images, this one first. Absent unless `n` is above 1.'),
  model: z.string().describe('Id of the model that generated the image.'),
  revisedPrompt: z.string().optional().describe('The prompt as the model interpreted it.'),
  created: z.int().describe('Creation time in Unix seconds.'),
})

/** Generates an image and stores it. Rejected with `QUOTA_EXCEEDED` before any provider is called. */
export const generateImage = action({
  name: 'generateImage',
  summary: 'Generates an image from a prompt.',
  access: { scope: 'generate' },
  metered: true,
  rest: { method: 'POST', path: '/generate/image' },
  graphql: { mutation: 'generateImage' },
  input: imageInput,
  output: image,
  events: imageEvents,
  prepare({ registry }, call, { size, seed, cache, n = 1, qualityLevel, ...input }) {
    const route = withImagesOf(findRoute(registry, call, 'image', input.model), n)
    const request = {
      ...input,
      ...pixels(route.model, size),
      ...(seed !== undefined && { seed }),
      ...(n > 1 && { n }),
      ...(qualityLevel && { qualityLevel, quality: qualityLevel === 'high' ? ('hd' as const) : ('standard' as const) }),
    }
    return { operation: 'generateImage', route, request, repeatable: cache }
  },
  estimate: (_services, _call, { route, request }) => estimateOf(route, sizeOf(request)),
  findStored: ({ responseCache }, call, plan) => responseCache.find(plan, call),
  async run({ router, responseCache, stores, blobs, baseUrl }, call, plan) {
    const { route, request } = plan
    const send = ({ provider, id }: Target, attempt: Attempt) =>
      requestImage(provider, { ...request, model: id }, attempt)
    const generate = async (owner: Owner) => {
      const { target, answer } = await router.attempt('generateImage', route, owner, send, sizeOf(request))
      const { png, others = [], ...facts } = answer
      const id = call.newId('img')
      const otherIds = others.map(() => call.newId('img'))
      await blobs.put(id, png)
      for (const [index, otherId] of otherIds.entries()) await blobs.put(otherId, others[index]!)
      const stored: StoredImage = { ...facts, id, otherIds, created: Math.floor(call.at / 1000) }
      return { target, answer: stored }
    }
    // The image of a cached response may have been removed.
    const isStored = async ({ id, otherIds }: StoredImage) =>
      (await stores.read((view) => view.images.missing([id, ...otherIds]))).length === 0
    const { target, answer, cached } = await responseCache.attempt(plan, call, generate, isStored)
    const { id, otherIds, promptTokens = 0, revisedPrompt, created } = answer
    const { costUsd, warnings } = imageCost(target.model, answer, 1 + otherIds.length, request)
    const addressOf = (each: string) => ({
      id: each,
      url: `${baseUrl.endsWith(call.basePath) ? baseUrl : baseUrl + call.basePath}/images/${each}.png`,
    })
    call.warn([...answer.warnings, ...(cached ? [] : warnings)])
    call.note({ model: target.model.id, ...(cached ? { costUsd: 0 } : { promptTokens, costUsd }) })
    if (!cached) noteUpstream(call, answer.response)
    return {
      ...addressOf(id),
      ...(otherIds.length > 0 && { images: [id, ...otherIds].map(addressOf) }),
      model: target.model.id,
      ...(revisedPrompt !== undefined && { revisedPrompt }),
      created,
    }
  },
  async record(tx, { caller, at }, { id, model, images = [{ id }] }) {
    for (const each of images) await tx.images.add({ id: each.id, userId: ownerOf(caller), model, createdAt: at })
  },
})

/** An image whose bytes are stored under its id. */
interface StoredImage extends Omit<CheckedImage, 'png' | 'others'> {
  readonly id: string
  /** Of the further images of the request. */
  readonly otherIds: readonly string[]
  /** Unix seconds. */
  readonly created: number
}

function sizeOf(request: ImageKind & { readonly prompt: string; readonly n?: number }): RequestSize {
  const { prompt, n } = request
  return { prompt: textSize(prompt), images: n, imageKind: request }
}

/** Only models that draw several images in one request can answer as asked. */
function withImagesOf(route: ModelRoute<ImageModel>, n: number): ModelRoute<ImageModel> {
  if (n === 1) return route
  const limitOf = ({ model: { maxImages = 1 } }: { readonly model: ImageModel }) => maxImages
  const [first, ...others] = route.targets.filter((target) => n <= limitOf(target))
  if (first) return { ...route, targets: [first, ...others] }
  const limit = Math.max(...route.targets.map(limitOf))
  const range = limit === 1 ? 'must be 1' : `must be between 1 and ${limit}`
  throw invalidRequest({ field: 'n', issue: `${range} for "${route.model.id}": send several requests instead` })
}

function pixels({ sizes }: ImageModel, size: string): { width: number; height: number } {
  if (!sizes.includes(size)) {
    throw invalidRequest({ field: 'size', issue: `must be a size that the model supports: ${sizes.join(', ')}` })
  }
  const [width, height] = size.split('x').map(Number)
  if (!width || !height) throw new Error(`the model lists the invalid size "${size}"`)
  return { width, height }
}
