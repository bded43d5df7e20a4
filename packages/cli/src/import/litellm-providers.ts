import type { Setting } from './imported.ts'
import type { LitellmDocument, Parameters } from './litellm-document.ts'
import type { Notes } from './notes.ts'
import {
  azureAddress,
  isOpenai,
  notCopied,
  type ProviderEntries,
  serverName,
  withoutCredentials,
} from './provider-entries.ts'

interface Known {
  /** The built-in provider of Fairlead. */
  readonly use: string
  /** The variable that LiteLLM reads the key from if the document has none. */
  readonly keyVariable?: string
}

/** By LiteLLM's prefix of a model. */
const known: Readonly<Record<string, Known>> = {
  openai: { use: 'openai', keyVariable: 'OPENAI_API_KEY' },
  azure: { use: 'azure', keyVariable: 'AZURE_API_KEY' },
  anthropic: { use: 'anthropic', keyVariable: 'ANTHROPIC_API_KEY' },
  gemini: { use: 'google', keyVariable: 'GEMINI_API_KEY' },
  groq: { use: 'groq', keyVariable: 'GROQ_API_KEY' },
  mistral: { use: 'mistral', keyVariable: 'MISTRAL_API_KEY' },
  deepseek: { use: 'deepseek', keyVariable: 'DEEPSEEK_API_KEY' },
  xai: { use: 'xai', keyVariable: 'XAI_API_KEY' },
  openrouter: { use: 'openrouter', keyVariable: 'OPENROUTER_API_KEY' },
  together_ai: { use: 'together', keyVariable: 'TOGETHERAI_API_KEY' },
  fireworks_ai: { use: 'fireworks', keyVariable: 'FIREWORKS_API_KEY' },
  cerebras: { use: 'cerebras', keyVariable: 'CEREBRAS_API_KEY' },
  perplexity: { use: 'perplexity', keyVariable: 'PERPLEXITYAI_API_KEY' },
  ollama: { use: 'ollama' },
  ollama_chat: { use: 'ollama' },
  hosted_vllm: { use: 'vllm' },
  lm_studio: { use: 'lm-studio' },
  // Servers with OpenAI's API, at an address of their own.
  custom_openai: { use: 'openai-compatible' },
  openai_like: { use: 'openai-compatible' },
  litellm_proxy: { use: 'openai-compatible' },
  xinference: { use: 'openai-compatible' },
}

/** The prefix of models that have none. LiteLLM knows many more, from a table of models. */
const unprefixed: readonly (readonly [RegExp, string])[] = [
  [/^(gpt-|o\d|chatgpt-|text-embedding-|dall-e)/, 'openai'],
  [/^claude-/, 'anthropic'],
]

interface Context {
  readonly providers: ProviderEntries
  readonly notes: Notes
}

/** The target of a deployment, as `provider/model`. Adds its provider. Undefined, with a note, if Fairlead has none for it. */
export function targetOf(
  params: Parameters,
  path: string,
  { providers, notes }: Context,
): { readonly provider: string; readonly model: string } | undefined {
  const { prefix, model } = splitModel(params)
  const match = prefix === undefined ? undefined : known[prefix]
  if (prefix === undefined || !match) {
    const reason =
      prefix === undefined
        ? `"${params.model}" names no provider, such as "openai/${params.model}"; the model is left out`
        : `Fairlead has no provider for "${prefix}"; the model is left out. The AI SDK may have one: docs/ai-sdk.md`
    notes.add(`${path}.model`, reason)
    return undefined
  }
  const address = withoutCredentials(settingOf(params.api_base ?? params.base_url), `${path}.api_base`, notes)
  const use = match.use === 'openai' && address !== undefined && !isOpenai(address) ? 'openai-compatible' : match.use
  if (use === 'openai-compatible' && address === undefined) {
    notes.add(`${path}.api_base`, 'is missing: a server with OpenAI’s API needs an address; the model is left out')
    return undefined
  }
  const id = use === 'openai-compatible' ? serverName(address!) : match.use === 'google' ? prefix : match.use
  const isAnyModel = ['azure', 'openai-compatible'].includes(use) || model === '*'
  const provider = providers.add({
    use,
    id,
    apiKey: keyOf(params, match, id, path, { providers, notes }),
    baseUrl: baseUrlOf(use, address, path, notes),
    headers: headersOf(params, id, path, { providers, notes }),
    models: isAnyModel ? 'any' : undefined,
    isWildcard: model === '*',
  })
  return { provider, model }
}

/** The variables that the document names, and those that LiteLLM reads for models without a key. */
export function variablesOf(document: LitellmDocument): readonly string[] {
  const named = [...JSON.stringify(document).matchAll(/os\.environ\/(\w+)/g)].map(([, name = '']) => name)
  const implied = document.model_list.flatMap(({ litellm_params: params }) =>
    params.api_key ? [] : (known[splitModel(params).prefix ?? '']?.keyVariable ?? []),
  )
  return [...named, ...implied]
}

function splitModel({ model, custom_llm_provider: given }: Parameters) {
  const slash = model.indexOf('/')
  const prefix = slash < 0 ? undefined : model.slice(0, slash)
  if (given) return { prefix: given, model: prefix === given ? model.slice(slash + 1) : model }
  if (prefix !== undefined) return { prefix, model: model.slice(slash + 1) }
  return { prefix: unprefixed.find(([pattern]) => pattern.test(model))?.[1], model }
}

/** `os.environ/NAME` is a variable. */
function settingOf(value: string | null | undefined): Setting | undefined {
  const [, variable] = /^os\.environ\/(.+)$/.exec(value ?? '') ?? []
  return variable === undefined ? value || undefined : { env: variable }
}

/** A key in the document stays there: the configuration names a variable for it. */
function keyOf(
  params: Parameters,
  match: Known,
  id: string,
  path: string,
  { providers, notes }: Context,
): Setting | undefined {
  const key = settingOf(params.api_key)
  if (typeof key === 'object') return key
  if (key === undefined) {
    const isElsewhere = id !== match.use && match.use === 'openai'
    return match.keyVariable === undefined || isElsewhere ? undefined : { env: match.keyVariable }
  }
  if (/^(none|null|empty|not-needed)$/i.test(key)) return undefined
  const env = providers.variableFor(id, key)
  notes.add(`${path}.api_key`, notCopied(env))
  return { env }
}

function baseUrlOf(use: string, address: Setting | undefined, path: string, notes: Notes): Setting | undefined {
  if (use === 'azure' && typeof address === 'string') return azureAddress(address)
  if (use === 'azure') {
    const env = typeof address === 'object' ? address.env : 'AZURE_API_BASE'
    notes.add(
      `${path}.api_base`,
      `must have the path of the v1 API: set ${env} to https://<resource>.openai.azure.com/openai/v1`,
    )
    return { env }
  }
  if (use === 'ollama' && typeof address === 'string') return `${address.replace(/\/+(v1\/*)?$/, '')}/v1`
  return typeof address === 'string' ? address.replace(/\/+$/, '') : address
}

/** Headers whose values are secrets, by words in their names. */
const secretHeader = /authorization|cookie|key|secret|token/i

function headersOf(
  params: Parameters,
  id: string,
  path: string,
  { providers, notes }: Context,
): Readonly<Record<string, Setting>> | undefined {
  const { organization, extra_headers: extra } = params
  if (Array.isArray(organization)) {
    notes.add(`${path}.organization`, 'only the first organization is used; add a provider for each of the others')
  }
  const [first] = [organization ?? []].flat()
  const headers = { ...(first !== undefined && { 'OpenAI-Organization': first }), ...extra }
  const entries = Object.entries(headers).map(([header, value]): readonly [string, Setting] => {
    const setting = settingOf(value) ?? ''
    if (typeof setting === 'object' || !secretHeader.test(header)) return [header, setting]
    const env = providers.variableFor(id, setting, header)
    notes.add(`${path}.extra_headers.${header}`, notCopied(env))
    return [header, { env }]
  })
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}
