import { own } from './fields.ts'
import type { Setting } from './imported.ts'
import { type LitellmDocument, litellmProviders, type Parameters, unprefixed } from './litellm-fields.ts'
import type { Notes } from './notes.ts'
import { notCopied, type ProviderEntries, serverName, chooseServer } from './provider-entries.ts'

export interface Context {
  readonly providers: ProviderEntries
  readonly notes: Notes
}

/** The target of a deployment. Adds its provider. Undefined, with a note, if Fairlead has none for it. */
export function readTarget(
  params: Parameters,
  path: string,
  context: Context,
): { readonly provider: string; readonly id: string } | undefined {
  const { providers, notes } = context
  const { prefix, id: model } = splitModel(params)
  const [vendor, keyVariable] = own(litellmProviders, prefix ?? '') ?? []
  if (prefix === undefined || vendor === undefined) {
    const reason =
      prefix === undefined
        ? `"${params.model}" names no provider, such as "openai/${params.model}"; the model is left out`
        : `Fairlead has no provider for "${prefix}"; the model is left out. The AI SDK may have one: docs/ai-sdk.md`
    notes.add(`${path}.model`, reason)
    return undefined
  }
  const address = toSetting(params.api_base ?? params.base_url)
  const { use, baseUrl } = chooseServer(vendor, address, `${path}.api_base`, notes)
  const isServer = use === 'openai-compatible'
  if (isServer && baseUrl === undefined) {
    notes.add(`${path}.api_base`, 'is missing: a server with OpenAI’s API needs an address; the model is left out')
    return undefined
  }
  const id = isServer ? serverName(baseUrl!) : use === 'google' ? prefix : use
  const provider = providers.add({
    use,
    id,
    apiKey: readKey(params, use === vendor ? keyVariable : undefined, id, path, context),
    baseUrl: use === 'azure' && typeof baseUrl !== 'string' ? azureVariable(baseUrl, path, notes) : baseUrl,
    headers: readHeaders(params, id, path, context),
    models: isServer || use === 'azure' || model === '*' ? 'any' : undefined,
    isWildcard: model === '*',
  })
  return { provider, id: model }
}

/** The variables that the document names, and those that LiteLLM reads for models without a key. */
export function findVariables(document: LitellmDocument): readonly string[] {
  const named = [...JSON.stringify(document).matchAll(/os\.environ\/(\w+)/g)].map(([, name = '']) => name)
  const implied = document.model_list.flatMap(({ litellm_params: params }) =>
    params.api_key ? [] : (own(litellmProviders, splitModel(params).prefix ?? '')?.[1] ?? []),
  )
  return [...named, ...implied]
}

function splitModel({ model, custom_llm_provider: given }: Parameters) {
  const slash = model.indexOf('/')
  const prefix = slash < 0 ? undefined : model.slice(0, slash)
  if (given && prefix !== given) return { prefix: given, id: model }
  if (prefix !== undefined) return { prefix, id: model.slice(slash + 1) }
  return { prefix: unprefixed.find(([pattern]) => pattern.test(model))?.[1], id: model }
}

/** `os.environ/NAME` is a variable. */
function toSetting(value: string | null | undefined): Setting | undefined {
  const [, variable] = /^os\.environ\/(.+)$/.exec(value ?? '') ?? []
  return variable === undefined ? value || undefined : { env: variable }
}

/** A key in the document stays there: the configuration names a variable for it. */
function readKey(
  params: Parameters,
  keyVariable: string | undefined,
  id: string,
  path: string,
  { providers, notes }: Context,
): Setting | undefined {
  const key = toSetting(params.api_key)
  if (typeof key === 'object') return key
  if (key === undefined) return keyVariable === undefined ? undefined : { env: keyVariable }
  if (/^(none|null|empty|not-needed)$/i.test(key)) return undefined
  const env = providers.variableFor(id, key)
  notes.add(`${path}.api_key`, notCopied(env))
  return { env }
}

function azureVariable(address: { readonly env: string } | undefined, path: string, notes: Notes): Setting {
  const { env } = address ?? { env: 'AZURE_API_BASE' }
  const value = 'https://<resource>.openai.azure.com/openai/v1'
  notes.add(`${path}.api_base`, `must have the path of the v1 API: set ${env} to ${value}`)
  return { env }
}

/** Headers whose values are secrets, by words in their names. */
const secretHeader = /authorization|cookie|key|secret|token/i

function readHeaders(
  { organization, extra_headers: extra }: Parameters,
  id: string,
  path: string,
  { providers, notes }: Context,
): Readonly<Record<string, Setting>> | undefined {
  if (Array.isArray(organization)) {
    notes.add(`${path}.organization`, 'only the first organization is used; add a provider for each of the others')
  }
  const [first] = [organization ?? []].flat()
  const headers = { ...(first !== undefined && { 'OpenAI-Organization': first }), ...extra }
  const entries = Object.entries(headers).map(([header, value]): readonly [string, Setting] => {
    const setting = toSetting(value) ?? ''
    if (typeof setting === 'object' || !secretHeader.test(header)) return [header, setting]
    const env = providers.variableFor(id, setting, header)
    notes.add(`${path}.extra_headers.${header}`, notCopied(env))
    return [header, { env }]
  })
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}
