import type { TextModel } from '@fairlead/core/provider'
import type { ServerDialect } from './dialect.ts'

export { efforts } from './model-rules.ts'

/** The settings of a well-known server. */
export interface Preset {
  /** As its vendor writes it. */
  readonly name: string
  /** Missing if each user has their own address. */
  readonly baseUrl?: string
  /** The environment variable that usually holds the API key. Missing if none is needed. */
  readonly apiKeyVariable?: string
  /** The environment variable that usually holds another address. */
  readonly baseUrlVariable?: string
  /** The header that carries the API key. Default: `authorization`, as a bearer token. */
  readonly apiKeyHeader?: string
  /** The publisher whose models are in the catalog. Default: none; the server is asked for its models. */
  readonly publisher?: 'openai' | 'groq' | 'mistral' | 'deepseek' | 'xai'
  /** The models of a server that does not list them. */
  readonly models?: readonly TextModel[]
  /** Whether it runs on the user's own machine, free of charge. Default: false. */
  readonly isLocal?: boolean
  /**
   * Whether it takes OpenAI's APIs whole, so that it gets fields of OpenAI's clients that Fairlead does not know.
   * Default: false. Groq, Mistral and Cerebras reject fields that they do not know, and so do models of xAI. OpenRouter
   * takes fields that choose other models and upstreams, with other prices. The servers for one's own models apply
   * templates that take fewer roles, and settings that belong to the operator.
   */
  readonly isOpenai?: boolean
  /** Whether it also has Ollama's own API beside the compatible one. Default: false. */
  readonly hasOllamaApi?: boolean
  readonly dialect?: ServerDialect
}

const sonar = {
  type: 'text',
  contextSize: 128_000,
  maxTokens: 4_096,
  chat: true,
  vision: true,
  urls: true,
  structured: true,
} as const

/**
 * Perplexity's models, as models.dev listed them in November 2026. They have no prices, because each request also costs
 * the searches that it makes.
 */
const sonarModels: readonly TextModel[] = [
  { ...sonar, id: 'sonar', name: 'Sonar', description: 'Searches the web before it answers.' },
  {
    ...sonar,
    id: 'sonar-pro',
    name: 'Sonar Pro',
    description: 'Searches more of the web and answers at length.',
    contextSize: 200_000,
    maxTokens: 8_192,
  },
  {
    ...sonar,
    id: 'sonar-reasoning-pro',
    name: 'Sonar Reasoning Pro',
    description: 'Searches the web and reasons before it answers.',
  },
  {
    ...sonar,
    id: 'sonar-deep-research',
    name: 'Sonar Deep Research',
    description: 'Reads hundreds of pages and writes a report within minutes.',
    maxTokens: 32_768,
    vision: false,
    urls: false,
  },
]

const openaiDialect = {
  maxTokensField: 'max_completion_tokens',
  reasoning: 'openai',
  responses: true,
  completions: 'instruct',
  base64Embeddings: true,
  urls: true,
  laterSystem: true,
  toolCallIdLength: 64,
  checksToolSchemas: true,
} as const

export const presets = {
  openai: {
    name: 'OpenAI',
    baseUrl: 'https://api.openai.com/v1',
    apiKeyVariable: 'OPENAI_API_KEY',
    baseUrlVariable: 'OPENAI_BASE_URL',
    publisher: 'openai',
    isOpenai: true,
    dialect: openaiDialect,
  },
  // The address belongs to the resource: https://<resource>.openai.azure.com/openai/v1. A model is a deployment's name.
  azure: {
    name: 'Azure OpenAI',
    apiKeyVariable: 'AZURE_OPENAI_API_KEY',
    baseUrlVariable: 'AZURE_OPENAI_BASE_URL',
    apiKeyHeader: 'api-key',
    isOpenai: true,
    dialect: openaiDialect,
  },
  groq: {
    name: 'Groq',
    baseUrl: 'https://api.groq.com/openai/v1',
    apiKeyVariable: 'GROQ_API_KEY',
    publisher: 'groq',
    dialect: {
      maxTokensField: 'max_completion_tokens',
      penalties: false,
      reasoning: 'open-weights',
      files: null,
      urls: true,
    },
  },
  mistral: {
    name: 'Mistral',
    baseUrl: 'https://api.mistral.ai/v1',
    apiKeyVariable: 'MISTRAL_API_KEY',
    publisher: 'mistral',
    dialect: {
      seedField: 'random_seed',
      askStreamUsage: false,
      reasoning: 'mistral',
      shortToolCallIds: true,
      files: 'document_url',
      urls: true,
      base64Embeddings: true,
      dimensionsField: 'output_dimension',
    },
  },
  deepseek: {
    name: 'DeepSeek',
    baseUrl: 'https://api.deepseek.com',
    apiKeyVariable: 'DEEPSEEK_API_KEY',
    publisher: 'deepseek',
    dialect: {
      seedField: null,
      jsonAnswers: 'json_object',
      reasoning: 'deepseek',
      reasoningField: 'reasoning_content',
      parallelToolCalls: false,
      // Only at its beta address.
      strictTools: false,
      files: null,
    },
  },
  xai: {
    name: 'xAI',
    baseUrl: 'https://api.x.ai/v1',
    apiKeyVariable: 'XAI_API_KEY',
    publisher: 'xai',
    // Its reasoning models reject penalties and stop sequences. Roles in any order: https://docs.x.ai/docs/guides/chat
    dialect: { penalties: false, stop: false, laterSystem: true, reasoning: 'xai', files: null, urls: true },
  },
  openrouter: {
    name: 'OpenRouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    apiKeyVariable: 'OPENROUTER_API_KEY',
    dialect: {
      completions: true,
      reasoning: 'openrouter',
      reasoningField: 'reasoning',
      base64Embeddings: true,
      urls: true,
      laterSystem: true,
    },
  },
  together: {
    name: 'Together AI',
    baseUrl: 'https://api.together.xyz/v1',
    apiKeyVariable: 'TOGETHER_API_KEY',
    dialect: { completions: true, files: null, urls: true },
  },
  fireworks: {
    name: 'Fireworks AI',
    baseUrl: 'https://api.fireworks.ai/inference/v1',
    apiKeyVariable: 'FIREWORKS_API_KEY',
    dialect: { completions: true, files: null, urls: true },
  },
  cerebras: {
    name: 'Cerebras',
    baseUrl: 'https://api.cerebras.ai/v1',
    apiKeyVariable: 'CEREBRAS_API_KEY',
    dialect: { completions: true, penalties: false, reasoning: 'open-weights', files: null },
  },
  perplexity: {
    name: 'Perplexity',
    baseUrl: 'https://api.perplexity.ai',
    apiKeyVariable: 'PERPLEXITY_API_KEY',
    models: sonarModels,
    dialect: { seedField: null, stop: false, askStreamUsage: false, jsonObjects: false, files: null, urls: true },
  },
  ollama: {
    name: 'Ollama',
    baseUrl: 'http://127.0.0.1:11434/v1',
    baseUrlVariable: 'OLLAMA_HOST',
    isLocal: true,
    hasOllamaApi: true,
    dialect: {
      completions: true,
      reasoning: 'ollama',
      toolChoice: false,
      parallelToolCalls: false,
      strictTools: false,
      files: null,
    },
  },
  vllm: {
    name: 'vLLM',
    baseUrl: 'http://127.0.0.1:8000/v1',
    apiKeyVariable: 'VLLM_API_KEY',
    isLocal: true,
    dialect: { completions: true, base64Embeddings: true, files: null, urls: true },
  },
  'lm-studio': {
    name: 'LM Studio',
    baseUrl: 'http://127.0.0.1:1234/v1',
    isLocal: true,
    dialect: { completions: true, jsonObjects: false, files: null },
  },
  'llama-server': {
    name: 'llama.cpp server',
    baseUrl: 'http://127.0.0.1:8080/v1',
    isLocal: true,
    dialect: { completions: true, base64Embeddings: true, files: null },
  },
} as const satisfies Readonly<Record<string, Preset>>

export type PresetName = keyof typeof presets

/** Whether an address is the publisher's own, such as a regional one. A proxy may offer other models, and other APIs. */
export function isOwnAddress(baseUrl: string, preset: Preset): boolean {
  const [host, own] = [URL.parse(baseUrl)?.hostname, URL.parse(preset.baseUrl ?? '')?.hostname]
  return host === own || host?.endsWith(`.${own}`) === true
}
