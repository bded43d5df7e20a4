import { z } from 'zod'
import { accountName } from '../runtime/access.ts'
import { requestImage, type CheckedImage } from './request-image.ts'
import { imageCost } from './cost.ts'
import { imageEvents } from './events.ts'
import type { RoutedCall } from './routing/attempts.ts'
import type { ProviderCall } from './provider.ts'
import { defineOperation, typeNames } from '../runtime/operation.ts'
import { invalidRequest } from '../runtime/errors.ts'
import type { ImageModel } from './model.ts'
import { cacheFlag, integerBetween, modelId, textUpTo } from '../runtime/field-schemas.ts'
import { findRoute } from './prepare-text.ts'
import { textSize } from './prompt-size.ts'
import type { InferenceServices } from './services.ts'
import type { GatewayTransaction } from './images.ts'
import type { Target } from './routing/route.ts'

const imageInput = z.strictObject({
  prompt: textUpTo(100_000).describe('Description of the image.'),
  model: modelId.describe('Id of an image model.'),
  size: z
    .string()
    .default('1024x1024')
    .describe('Image size, as `<width>x<height>`. One of the sizes that the model lists.'),
  quality: z
    .enum(['standard', 'hd'])
    .register(typeNames, {
      name: 'ImageQuality',
      description: 'Quality of an image.',
      values: { standard: 'Standard quality.', hd: 'More detail.' },
    })
    .default('standard')
    .describe('Image quality.'),
  style: z
    .enum(['natural', 'vivid'])
    .register(typeNames, {
      name: 'ImageStyle',
      description: 'Style of an image.',
      values: { vivid: 'Strong colors and contrast.', natural: 'Natural colors.' },
    })
    .default('natural')
    .describe('Image style.'),
  seed: integerBetween(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('The same seed and request give the same image, if the model supports it.'),
  cache: cacheFlag,
})

const image = z
  .object({
    id: z.string().describe('Image id: `img_` and digits.'),
    url: z.string().describe('Address of the PNG. Anyone who knows it can download the image.'),
    model: z.string().describe('Id of the model that generated the image.'),
    revisedPrompt: z.string().optional().describe('The prompt as the model interpreted it.'),
    created: z.int().describe('Creation time in Unix seconds.'),
  })
  .meta({ id: 'Image', description: 'A generated image.' })

/** Generates an image and stores it. Rejected with `QUOTA_EXCEEDED` before any provider is called. */
export const generateImage = defineOperation({
  name: 'generateImage',
  summary: 'Generates an image from a prompt.',
  kind: 'inference',
  access: { scope: 'generate' },
  metered: true,
  rest: { method: 'POST', path: '/generate/image', quickStart: true },
  graphql: { mutation: 'generateImage' },
  input: imageInput,
  output: image,
  events: imageEvents,
  prepare({ registry }: InferenceServices, call, { size, seed, cache, ...input }) {
    const route = findRoute(registry, call, 'image', input.model)
    const request = { ...input, ...pixels(route.model, size), ...(seed !== undefined && { seed }) }
    return { account: accountName(call.caller), operation: 'generateImage', route, request, repeatable: cache }
  },
  async run({ router, answers, stores, blobs, baseUrl }: InferenceServices, call, plan) {
    const { route, request } = plan
    const send = ({ provider, id }: Target, providerCall: ProviderCall) =>
      requestImage(provider, { ...request, model: id }, providerCall)
    const generate = async (routedCall: RoutedCall) => {
      const { target, answer } = await router.attempt(route, routedCall, send, {
        prompt: textSize(request.prompt),
      })
      const { png, ...facts } = answer
      const stored: StoredImage = { ...facts, id: call.newId('img'), created: Math.floor(call.at / 1000) }
      await blobs.put(stored.id, png)
      return { target, answer: stored }
    }
    // The image of a cached response may have been removed.
    const isStored = async ({ id }: StoredImage) => (await stores.read((view) => view.images.find(id))) !== undefined
    const { target, answer, cached } = await answers.attempt(plan, call, generate, isStored)
    const { id, promptTokens = 0, revisedPrompt, created } = answer
    const { costUsd, warnings } = imageCost(target.model, answer)
    call.warn([...answer.warnings, ...(cached ? [] : warnings)])
    call.note({ model: target.model.id, ...(cached ? { costUsd: 0 } : { promptTokens, costUsd }) })
    return {
      id,
      url: `${baseUrl.endsWith(call.basePath) ? baseUrl : baseUrl + call.basePath}/images/${id}.png`,
      model: target.model.id,
      ...(revisedPrompt !== undefined && { revisedPrompt }),
      created,
    }
  },
  record: (tx: GatewayTransaction, { caller, at }, { id, model }) =>
    tx.images.add({ id, userId: caller.kind === 'account' ? caller.userId : null, model, createdAt: at }),
})

/** An image whose bytes are stored under its id. */
interface StoredImage extends Omit<CheckedImage, 'png'> {
  readonly id: string
  /** Unix seconds. */
  readonly created: number
}

function pixels({ sizes }: ImageModel, size: string): { width: number; height: number } {
  if (!sizes.includes(size)) {
    throw invalidRequest({ field: 'size', issue: `must be a size that the model supports: ${sizes.join(', ')}` })
  }
  const [width, height] = size.split('x').map(Number)
  if (!width || !height) throw new Error(`the model lists the invalid size "${size}"`)
  return { width, height }
}
