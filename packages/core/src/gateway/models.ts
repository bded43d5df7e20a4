import * as z from 'zod'
import { FairleadError, type FailureReason } from '../runtime/errors.ts'
import { modelId, smallCount, namedObject, namedEnum } from '../runtime/schema/field-schemas.ts'
import { defineLoader } from '../runtime/loaders.ts'
import { clip, maxNameLength } from '../runtime/schema/names.ts'
import { type EmbeddingFacts, analysisTasks, type ModelType, modelTypes, type textCapabilities } from './model.ts'
import type { ListedModel } from './routing/route.ts'
import { read, type InferenceServices } from './services.ts'

/** A model as clients see it. */
export const modelRecord = namedObject('Model', 'A model.', {
  id: z.string().describe('Model id, used as `model` in requests.'),
  name: z.string().describe('Display name.'),
  type: namedEnum<ModelType>('ModelType', 'Output type of a model.', {
    text: 'Generates text, or embeds it.',
    image: 'Generates images.',
  }).describe('Type of output.'),
  description: z.string().describe('Short description.'),
  maxTokens: smallCount.describe(
    'Maximum tokens: of the output for a text model, of the prompt for an image model, of one text for an embedding model.',
  ),
  pricing: z
    .object({
      input: z.number().describe('US dollars per million prompt tokens.'),
      output: z.number().describe('US dollars per million output tokens, or per image.'),
      known: z.boolean().optional().describe('False if the prices are unknown; `input` and `output` are then 0.'),
    })
    .describe('Prices.'),
  provider: z.string().describe('Provider of the model. `provider/id` is an id of the model too.'),
  capabilities: z
    .object({
      streaming: z.boolean().describe('Whether the model can stream.'),
      seed: z.boolean().describe('Whether the same `seed` gives the same output.'),
      chat: z.boolean().describe('Whether the model takes conversations of several messages.'),
      tools: z.boolean().describe('Whether the model calls tools.'),
      vision: z.boolean().describe('Whether messages may have images and files.'),
      structured: z.boolean().describe('Whether the model can follow a JSON schema, and so analyze texts.'),
      reasoning: z.boolean().describe('Whether the effort of reasoning can be set.'),
      webSearch: z.boolean().describe('Whether the model searches the web, where the operator allows it.'),
      embedding: namedObject('EmbeddingCapability', 'The embeddings of a model.', {
        dimensions: smallCount.describe('Length of the embeddings.'),
        minDimensions: smallCount
          .optional()
          .describe('Smallest length that can be requested, if the length can be chosen.'),
      })
        .optional()
        .describe('Present if the model embeds texts. It then generates none.'),
      contextSize: smallCount
        .optional()
        .describe('Context size: maximum tokens of prompt and output together, if known.'),
      sizes: z.array(z.string()).optional().describe('Image sizes, as `<width>x<height>`. Image models only.'),
    })
    .describe('Capabilities.'),
})

function toModelRecord(model: ListedModel): z.output<typeof modelRecord> {
  const { id, name, type, description, maxTokens, provider } = model
  // `input` and `output` are always present, because clients rely on them.
  const { input, output } = model.pricing ?? { input: 0, output: 0 }
  const pricing = { input, output, ...(!model.pricing && { known: false }) }
  return { id, name, type, description, maxTokens, pricing, provider, capabilities: toCapabilities(model) }
}

function toCapabilities(model: ListedModel): z.output<typeof modelRecord>['capabilities'] {
  const { seed = false } = model
  const isText = model.type === 'text'
  const { streaming = false, contextSize, embedding } = isText ? model : {}
  const can = (capability: (typeof textCapabilities)[number]) => isText && (model[capability] ?? false)
  return {
    streaming: streaming && !embedding,
    seed,
    chat: can('chat'),
    tools: can('tools'),
    vision: can('vision'),
    structured: can('structured'),
    reasoning: can('reasoning'),
    webSearch: can('webSearch'),
    ...(embedding && { embedding: withoutMaxTexts(embedding) }),
    ...(contextSize !== undefined && { contextSize }),
    ...(model.type === 'image' && { sizes: [...model.sizes] }),
  }
}

/** Core splits longer lists, so clients need not know the limit of one request. */
function withoutMaxTexts({ dimensions, minDimensions }: EmbeddingFacts) {
  return { dimensions, ...(minDimensions !== undefined && { minDimensions }) }
}

export const getModel = read({
  name: 'model',
  summary: 'Returns a model.',
  access: { scope: 'models' },
  metered: true,
  rest: { method: 'GET', path: '/models/{id}' },
  graphql: { query: 'model' },
  input: z.strictObject({ id: modelId.describe('Model id, alone or as `provider/id`.') }),
  output: modelRecord,
  errors: ['NOT_FOUND', 'PROVIDER_UNAVAILABLE'],
  prepare({ registry }, { caller }, { id }) {
    const own = registry.of(caller)
    own.requireAllowed(id)
    const model = own.find(id)
    if (model) return model
    own.requireAvailable(id)
    const facts = { reason: 'model_not_found' satisfies FailureReason }
    const near = own.nearest(id)
    const advice = near === undefined ? '' : ` Did you mean "${near}"?`
    throw new FairleadError('NOT_FOUND', `There is no model "${clip(id, maxNameLength)}".${advice}`, { facts })
  },
  run: async (_services, _call, model) => toModelRecord(model),
})

export const listModels = read({
  name: 'models',
  summary: 'Lists the available models.',
  access: { scope: 'models' },
  metered: true,
  rest: { method: 'GET', path: '/models' },
  graphql: { query: 'models' },
  input: z.strictObject({ type: z.enum(modelTypes).optional().describe('Only models of this type.') }),
  output: z.array(modelRecord),
  run: async ({ registry }, { caller }, { type }) => registry.of(caller).models(type).map(toModelRecord),
})

const analyzerRecord = namedObject('Analyzer', 'An analyzer of texts that is not a model.', {
  id: z.string().describe('Analyzer id, used as `model` in requests.'),
  provider: z.string().describe('Provider of the analyzer.'),
  tasks: z
    .array(
      namedObject('AnalyzerTask', 'A task of an analyzer.', {
        task: z.enum(analysisTasks).describe('Task.'),
        languages: z.array(z.string()).describe('Supported languages, as ISO 639-1 codes.'),
      }),
    )
    .describe('Supported tasks.'),
})

export const listAnalyzers = read({
  name: 'analyzers',
  summary: 'Lists the available analyzers.',
  access: { scope: 'models' },
  metered: true,
  rest: { method: 'GET', path: '/analyzers' },
  graphql: { query: 'analyzers' },
  input: z.strictObject({}),
  output: z.array(analyzerRecord),
  run: async ({ registry }, { caller }) =>
    registry
      .of(caller)
      .analyzers()
      .map(({ provider, analyzer }) => ({
        id: analyzer.id,
        provider: provider.id,
        tasks: analysisTasks.flatMap((task) => {
          const languages = analyzer.tasks[task]
          return languages ? [{ task, languages: [...languages] }] : []
        }),
      })),
})

/** Models by their ids, alone or as `provider/id`. */
export const findModels = defineLoader({
  access: getModel.access,
  output: getModel.output,
  async find({ registry }: InferenceServices, { caller }, ids) {
    const own = registry.of(caller)
    const found = ids.map((id) => [id, own.find(id)] as const)
    return new Map(found.flatMap(([id, model]) => (model ? [[id, { data: toModelRecord(model) }]] : [])))
  },
})
