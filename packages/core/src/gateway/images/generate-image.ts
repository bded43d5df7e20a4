import * as z from 'zod'
import { requestImage, type CheckedImage } from './request-image.ts'
import { imageCost, type ImageKind } from '../cost.ts'
import { estimateTokens, type RequestSize } from '../routing/targets.ts'
import { imageEvents } from '../events.ts'
import type { Attempt, AttemptOwner } from '../routing/attempt.ts'
import type { ResponseFacts } from '../messages/answer.ts'
import { noteUpstream } from '../provider-responses.ts'
import { type ImageType, sniffImageType } from '../messages/media-data.ts'
import { ownerOf } from '../../runtime/run/operation-run.ts'
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
import { type ModelRoute, type Target, narrowed, supportsDialect, withDialectOf } from '../routing/route.ts'
import type { ImageRequest } from '../provider.ts'
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
  isChecked: true,
  events: imageEvents,
  prepare({ registry }, call, { size, seed, cache, n = 1, qualityLevel, ...input }) {
    const { native } = call
    const found = withDialectOf(native, findRoute(registry, call, 'image', input.model))
    const route = withSizeOf(withImagesOf(found, n, native?.dialect), size, native?.dialect)
    const request = {
      ...input,
      ...pixels(route.model, size),
      ...(seed !== undefined && { seed }),
      ...(n > 1 && { n }),
      ...(qualityLevel && { qualityLevel, quality: qualityLevel === 'high' ? ('hd' as const) : ('standard' as const) }),
      ...(native && { native: { [native.dialect]: native.fields } }),
    }
    return { operation: 'generateImage', route, request, repeatable: cache }
  },
  estimate: (_services, _call, { plan: { route, request } }) => estimateTokens(route, sizeOf(request)),
  findStored: ({ responseCache }, call, { plan }) => responseCache.find(plan, call),
  async run({ router, responseCache, stores, blobs, imageRoom, baseUrl }, call, { plan }) {
    const { route, request } = plan
    const send = ({ provider, id }: Target, attempt: Attempt) =>
      requestImage(provider, { ...request, model: id }, attempt)
    const generate = async (owner: AttemptOwner) => {
      await imageRoom.reserve(call, request.width * request.height * maxPixelBytes * (request.n ?? 1))
      const { target, answer } = await router.attempt('generateImage', route, owner, send, sizeOf(request))
      const { png, others = [], ...facts } = answer
      const id = call.newId('img')
      const otherIds = others.map(() => call.newId('img'))
      await blobs.put(id, png)
      for (const [index, otherId] of otherIds.entries()) await blobs.put(otherId, others[index]!)
      const type = sniffImageType(png) ?? 'image/png'
      const bytes = [png, ...others].map(({ byteLength }) => byteLength)
      const stored: StoredImage = { ...facts, id, otherIds, bytes, type, created: Math.floor(call.at / 1000) }
      return { target, answer: stored }
    }
    // The image of a cached response may have been removed.
    const isStored = async ({ id, otherIds }: StoredImage) =>
      (await stores.read((view) => view.images.missing([id, ...otherIds]))).length === 0
    const { target, answer, cached } = await responseCache.attempt(plan, call, generate, isStored)
    const { id, otherIds, type = 'image/png', promptTokens = 0, revisedPrompt, created } = answer
    const { costUsd, warnings } = imageCost(target.model, answer, 1 + otherIds.length, kindOf(request, answer.response))
    const toAddress = (each: string) => ({
      id: each,
      url: `${baseUrl.endsWith(call.basePath) ? baseUrl : baseUrl + call.basePath}/images/${each}.${type.slice('image/'.length)}`,
    })
    fileBytes.set(call, answer.bytes ?? [])
    call.warn([...answer.warnings, ...(cached ? [] : warnings)])
    call.note({ model: target.model.id, ...(cached ? { costUsd: 0 } : { promptTokens, costUsd }) })
    if (!cached) noteUpstream(call, answer.response)
    return {
      ...toAddress(id),
      ...(otherIds.length > 0 && { images: [id, ...otherIds].map(toAddress) }),
      model: target.model.id,
      ...(revisedPrompt !== undefined && { revisedPrompt }),
      created,
      // For a transport that passed `native`.
      ...(call.native && { answer: { response: answer.response } satisfies ImageFacts }),
    }
  },
  async record(tx, call, { id, model, images = [{ id }] }) {
    const { caller, at } = call
    const payer = caller.kind === 'account' ? (caller.payer ?? null) : null
    const facts = { userId: ownerOf(caller), payer, model, createdAt: at }
    for (const [index, each] of images.entries()) {
      await tx.images.add({ ...facts, id: each.id, bytes: fileBytes.get(call)?.[index] ?? 0 })
    }
  },
})

/** More than a file has, which is compressed. */
const maxPixelBytes = 4
/** Of the images of a call, which its result does not have. */
const fileBytes = new WeakMap<object, readonly number[]>()

/** An image whose bytes are stored under its id. */
interface StoredImage extends Omit<CheckedImage, 'png' | 'others'> {
  readonly id: string
  /** Of the further images of the request. */
  readonly otherIds: readonly string[]
  /** The size of each file. Undefined for a response that a version before has cached, whose images are recorded. */
  readonly bytes?: readonly number[]
  /** Of all images. Default: PNG. */
  readonly type?: ImageType
  /** Unix seconds. */
  readonly created: number
}

/** The part of the upstream's answer that goes to a transport that passed `native`. */
interface ImageFacts {
  readonly response: ResponseFacts | undefined
}

type Asked = ImageKind & Pick<ImageRequest, 'native' | 'prompt' | 'n'>

/**
 * The largest cost that a request may have: a provider of the client's API chooses a quality that the client did not
 * send.
 */
function sizeOf(request: Asked): RequestSize {
  const { prompt, n, native } = request
  const [asked] = Object.values(native ?? {})
  const imageKind = asked && !asked['quality'] ? { ...request, qualityLevel: 'auto' as const } : kindOf(request)
  return { prompt: textSize(prompt), images: n, imageKind }
}

/** The parameters that decide the price: as the upstream reports them, and otherwise as they were requested. */
function kindOf({ native, ...request }: Asked, response?: ResponseFacts): ImageKind {
  const [asked] = Object.values(native ?? {})
  if (!asked) return request
  const { size, quality } = { ...asked, ...Object.values(response?.native ?? {})[0] }
  const [, width, height] = /^(\d+)x(\d+)$/.exec(String(size)) ?? []
  const level = imageInput.shape.qualityLevel.safeParse(quality)
  return {
    ...request,
    ...(width && height && { width: Number(width), height: Number(height) }),
    ...(level.success && level.data && { qualityLevel: level.data }),
  }
}

/** Only models that draw several images in one request can answer as asked. */
function withImagesOf(route: ImageRoute, n: number, dialect: string | undefined): ImageRoute {
  if (n === 1) return route
  const limitOf = ({ model: { maxImages = 1 } }: { readonly model: ImageModel }) => maxImages
  const limit = Math.max(...route.targets.map(limitOf))
  const range = limit === 1 ? 'must be 1' : `must be between 1 and ${limit}`
  const issue = { field: 'n', issue: `${range} for "${route.model.id}": send several requests instead` }
  return narrowed(route, (target) => n <= limitOf(target) || decides(target, dialect), issue)
}

/** A provider of the client's API decides itself about sizes that the model does not list. */
function withSizeOf(route: ImageRoute, size: string, dialect: string | undefined): ImageRoute {
  if (route.model.sizes.includes(size)) return route
  const issue = { field: 'size', issue: `must be a size that the model supports: ${route.model.sizes.join(', ')}` }
  return narrowed(route, (target) => decides(target, dialect), issue)
}

function decides({ provider }: Target, dialect: string | undefined): boolean {
  return dialect !== undefined && supportsDialect(provider, dialect)
}

type ImageRoute = ModelRoute<ImageModel>

function pixels({ sizes }: ImageModel, size: string): { width: number; height: number } {
  // The provider then gets the size as the client sent it.
  const known = sizes.includes(size) ? size : sizes[0]
  const [width, height] = known.split('x').map(Number)
  if (!width || !height) throw new Error(`the model lists the invalid size "${known}"`)
  return { width, height }
}
