import { z } from 'zod'
import { accountName } from '../runtime/access.ts'
import { askForImage, type CheckedImage } from './ask-provider.ts'
import { imageCost } from './cost.ts'
import type { RoutedCall } from './routing/attempts.ts'
import type { ProviderCall } from './provider.ts'
import { defineOperation } from '../runtime/operation.ts'
import { invalidRequest } from '../runtime/errors.ts'
import type { ImageModel } from './model.ts'
import { cacheFlag, integerBetween, modelId, textUpTo } from '../runtime/field-schemas.ts'
import { takeRoute } from './generate-text.ts'
import { typeNames } from '../runtime/operation.ts'
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

/** Makes an image with the named model and keeps it. Refused with `QUOTA_EXCEEDED` before any provider is asked. */
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
  prepare({ registry }: InferenceServices, call, { size, seed, cache, ...input }) {
    const route = takeRoute(registry, call, 'image', input.model)
    const request = { ...input, ...pixels(route.model, size), ...(seed !== undefined && { seed }) }
    return { account: accountName(call.caller), operation: 'generateImage', route, request, repeatable: cache }
  },
  async run({ router, answers, stores, blobs, baseUrl }: InferenceServices, call, question) {
    const { route, request } = question
    const ask = ({ provider, id }: Target, providerCall: ProviderCall) =>
      askForImage(provider, { ...request, model: id }, providerCall)
    const paint = async (asking: RoutedCall) => {
      const { target, answer } = await router.attempt(route, asking, ask, request)
      const { png, ...facts } = answer
      const kept: KeptImage = { ...facts, id: call.newId('img'), created: Math.floor(call.at / 1000) }
      await blobs.put(kept.id, png)
      return { target, answer: kept }
    }
    // An image may be removed before its answer is.
    const isThere = async ({ id }: KeptImage) => (await stores.read((view) => view.images.find(id))) !== undefined
    const { target, answer, cached } = await answers.attempt(question, call, paint, isThere)
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

/** An image whose bytes are kept under its id. */
interface KeptImage extends Omit<CheckedImage, 'png'> {
  readonly id: string
  /** Unix seconds. */
  readonly created: number
}

function pixels({ sizes }: ImageModel, size: string): { width: number; height: number } {
  if (!sizes.includes(size)) {
    throw invalidRequest({ field: 'size', issue: `must be one that the model makes: ${sizes.join(', ')}` })
  }
  const [width, height] = size.split('x').map(Number)
  if (!width || !height) throw new Error(`a model lists the size "${size}", which is no <width>x<height>`)
  return { width, height }
}
