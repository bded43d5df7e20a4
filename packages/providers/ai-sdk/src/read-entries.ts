import type { ImageModel, Model, ModelType, TextModel } from '@fairlead/core/provider'
import { catalogue, catalogueModels, type Publisher } from '@fairlead/provider-catalogue'
import type { AiSdkImageModel, AiSdkModel, AiSdkTextModel } from './options.ts'

const versions = ['v2', 'v3', 'v4']
const defaultTextTokens = 4_096
const defaultPromptTokens = 1_000

/** The configured models, by id. */
export interface Entries {
  readonly models: readonly Model[]
  readonly texts: ReadonlyMap<string, AiSdkTextModel>
  readonly images: ReadonlyMap<string, AiSdkImageModel>
}

/**
 * Reads the configured models, or throws a `TypeError` that names the invalid option.
 *
 * @param now milliseconds since the epoch, for prices of the catalogue
 */
export function readEntries(entries: readonly AiSdkModel[], now: number): Entries {
  const texts = new Map<string, AiSdkTextModel>()
  const images = new Map<string, AiSdkImageModel>()
  const models = entries.map((entry, index) => {
    checkModel(entry, index)
    const id = entry.id ?? entry.model.modelId
    if (texts.has(id) || images.has(id)) {
      throw new TypeError(`models[${index}]: duplicate id "${id}"; set the id of one of the models`)
    }
    if (isText(entry)) {
      texts.set(id, entry)
      return textModel(id, entry, now)
    }
    if (!entry.sizes?.length) throw new TypeError(`models[${index}].sizes must list the sizes that "${id}" makes`)
    images.set(id, entry)
    return imageModel(id, entry, now)
  })
  return { models, texts, images }
}

function checkModel(entry: AiSdkModel, index: number): void {
  // JavaScript programs call this too.
  const model: Partial<AiSdkModel['model']> | undefined = entry?.model
  if (typeof model?.doGenerate !== 'function') {
    throw new TypeError(`models[${index}].model must be a model instance of the AI SDK, such as openai('gpt-5-mini')`)
  }
  if (!versions.includes(String(model.specificationVersion))) {
    throw new TypeError(
      `models[${index}].model has specification version "${model.specificationVersion}"; known are ${versions.join(', ')}`,
    )
  }
}

function isText(entry: AiSdkModel): entry is AiSdkTextModel {
  return 'doStream' in entry.model
}

function textModel(id: string, entry: AiSdkTextModel, now: number): TextModel {
  const { model, providerOptions: _, ...facts } = entry
  return {
    ...described(id, model),
    maxTokens: defaultTextTokens,
    ...known(model, 'text', now),
    ...facts,
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

/** The catalogue's facts of a model. Packages of the AI SDK are named by publisher and API: `openai.responses`. */
function known({ provider, modelId }: AiSdkModel['model'], type: ModelType, now: number): Partial<Model> {
  const [publisher = ''] = provider.split('.')
  if (!Object.hasOwn(catalogue, publisher)) return {}
  return catalogueModels(publisher as Publisher, now).find((model) => model.id === modelId && model.type === type) ?? {}
}
