import type { ImageModel, Model, ModelType, TextModel } from '@fairlead/core/provider'
import { catalog, catalogModels, type Publisher } from '@fairlead/provider-toolkit'
import type { AiSdkEmbeddingModel, AiSdkImageModel, AiSdkModel, AiSdkTextModel, AnyLanguageModel } from './options.ts'

const versions = ['v2', 'v3', 'v4']
const defaultTextTokens = 4_096
const defaultPromptTokens = 1_000

/**
 * Reads the configured models, by their ids, or throws a `TypeError` that names the invalid option.
 *
 * @param now milliseconds since the epoch, for prices of the catalog
 */
export function readEntries(entries: readonly AiSdkModel[], now: number) {
  const texts = new Map<string, AiSdkTextModel>()
  const images = new Map<string, AiSdkImageModel>()
  const embeddings = new Map<string, AiSdkEmbeddingModel>()
  const models = entries.map((entry, index): Model => {
    checkModel(entry, index)
    const id = entry.id ?? entry.model.modelId
    if (texts.has(id) || images.has(id) || embeddings.has(id)) {
      throw new TypeError(`models[${index}]: duplicate id "${id}"; set the id of one of the models`)
    }
    if (isText(entry)) {
      texts.set(id, entry)
      return textModel(id, entry, now)
    }
    if (isEmbedding(entry)) {
      embeddings.set(id, entry)
      return embeddingModel(id, entry, index, now)
    }
    if (!entry.sizes?.length) throw new TypeError(`models[${index}].sizes must list the sizes that "${id}" makes`)
    images.set(id, entry)
    return imageModel(id, entry, now)
  })
  return { models, texts, images, embeddings }
}

function checkModel(entry: AiSdkModel, index: number): void {
  // JavaScript programs call this too.
  const model = entry?.model as Partial<Record<string, unknown>> | undefined
  if (typeof (model?.['doGenerate'] ?? model?.['doEmbed']) !== 'function') {
    throw new TypeError(`models[${index}].model must be a model instance of the AI SDK, such as openai('gpt-5-mini')`)
  }
  const version = String(model?.['specificationVersion'])
  if (!versions.includes(version)) {
    throw new TypeError(
      `models[${index}].model has specification version "${version}"; known are ${versions.join(', ')}`,
    )
  }
}

function isText(entry: AiSdkModel): entry is AiSdkTextModel {
  return 'doStream' in entry.model
}

function isEmbedding(entry: AiSdkModel): entry is AiSdkEmbeddingModel {
  return 'doEmbed' in entry.model
}

function textModel(id: string, entry: AiSdkTextModel, now: number): TextModel {
  const { model, providerOptions: _, ...facts } = entry
  const { reasoning = false, urls: _urls, ...others } = known(model, 'text', now) ?? capable
  return {
    ...described(id, model),
    maxTokens: defaultTextTokens,
    ...others,
    chat: true,
    // Earlier versions have no such setting.
    ...(reasoning && model.specificationVersion === 'v4' && { reasoning }),
    ...(loadsUrls(model) && { urls: true }),
    ...facts,
    id,
    type: 'text',
  }
}

/** The capabilities that the specification has for every model. A model of which more is known may lack some. */
const capable: Partial<TextModel> = { tools: true, vision: true }

const urlsOfKinds = { 'image/png': 'https://example.com/a.png', 'application/pdf': 'https://example.com/a.pdf' }

/** Whether the upstream loads any https URL of images and documents. */
function loadsUrls({ supportedUrls = {} }: AnyLanguageModel): boolean {
  if ('then' in supportedUrls) return false
  const supported = Object.entries(supportedUrls as Record<string, RegExp[]>)
  return Object.entries(urlsOfKinds).every(([mediaType, url]) =>
    supported.some(
      ([pattern, urls]) =>
        [mediaType, mediaType.replace(/\/.*/, '/*'), '*/*', '*'].includes(pattern) &&
        urls.some((each) => each.test(url)),
    ),
  )
}

function embeddingModel(id: string, entry: AiSdkEmbeddingModel, index: number, now: number): TextModel {
  const { model, providerOptions: _, ...facts } = entry
  const found = known(model, 'text', now)
  const embedding = facts.embedding ?? found?.embedding
  if (!embedding)
    throw new TypeError(`models[${index}].embedding must state the dimensions of "${id}": { dimensions: 1536 }`)
  return {
    ...described(id, model),
    maxTokens: defaultTextTokens,
    ...found,
    ...facts,
    // Earlier versions have no such setting.
    embedding: model.specificationVersion === 'v4' ? embedding : { dimensions: embedding.dimensions },
    id,
    type: 'text',
  }
}

function imageModel(id: string, entry: AiSdkImageModel, now: number): ImageModel {
  const { model, providerOptions: _, aspectRatios: __, ...facts } = entry
  return {
    ...described(id, model),
    maxTokens: defaultPromptTokens,
    ...known(model, 'image', now),
    ...facts,
    id,
    type: 'image',
  }
}

function described(id: string, { provider, modelId }: AiSdkModel['model']) {
  return { name: id, description: `${modelId} of ${provider}, through the AI SDK.` }
}

/** The catalog's facts of a model. Packages of the AI SDK are named by publisher and API: `openai.responses`. */
function known<Type extends ModelType>(
  { provider, modelId }: AiSdkModel['model'],
  type: Type,
  now: number,
): Extract<Model, { type: Type }> | undefined {
  const [publisher = ''] = provider.split('.')
  if (!Object.hasOwn(catalog, publisher)) return undefined
  return catalogModels(publisher as Publisher, now).find(
    (model): model is Extract<Model, { type: Type }> => model.id === modelId && model.type === type,
  )
}
