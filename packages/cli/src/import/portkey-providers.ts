import type { ProviderUse } from '@fairlead/core'
import { CommandError } from '../command-error.ts'
import type { Setting } from './imported.ts'
import { fieldOf, type Notes } from './notes.ts'
import type { PortkeyTarget } from './portkey-document.ts'
import { isOpenai, notCopied, ProviderEntries, serverName, variableOf, withoutCredentials } from './provider-entries.ts'

export interface PortkeyOptions {
  /** The model that clients send, for targets without one of their own. */
  readonly model?: string | undefined
  /** Portkey's provider of each virtual key. */
  readonly virtualKeys: ReadonlyMap<string, string>
}

/** The built-in providers of Fairlead by Portkey's names. */
const known: Readonly<Record<string, string>> = {
  openai: 'openai',
  'azure-openai': 'azure',
  anthropic: 'anthropic',
  google: 'google',
  groq: 'groq',
  'mistral-ai': 'mistral',
  deepseek: 'deepseek',
  'x-ai': 'xai',
  openrouter: 'openrouter',
  'together-ai': 'together',
  'fireworks-ai': 'fireworks',
  cerebras: 'cerebras',
  'perplexity-ai': 'perplexity',
  ollama: 'ollama',
}

/** The providers of the targets of a Portkey config. */
export class PortkeyProviders {
  readonly #entries = new ProviderEntries()
  readonly #options: PortkeyOptions
  readonly #notes: Notes

  constructor(options: PortkeyOptions, notes: Notes) {
    this.#options = options
    this.#notes = notes
  }

  list(): readonly ProviderUse[] {
    return this.#entries.list()
  }

  /** The target as `provider/model`; undefined, with a note, if Fairlead has no provider for it. */
  targetOf(target: PortkeyTarget, path: string): string | undefined {
    const { slug, model } = this.#modelOf(target, path)
    const key = target.virtual_key ?? slug
    const { name, field } = this.#providerOf(target, key, path)
    const use = known[name]
    if (!use) {
      this.#notes.add(
        field,
        `Fairlead has no provider for "${name}"; the target is left out. The AI SDK may have one: docs/ai-sdk.md`,
      )
      return undefined
    }
    const given = use === 'azure' ? this.#azureAddress(target, path) : this.#address(use, target)
    const address = withoutCredentials(given, fieldOf(path, 'custom_host'), this.#notes)
    const isOther = use === 'openai' && address !== undefined && !isOpenai(address)
    const id = isOther ? serverName(address) : (key ?? use)
    const provider = this.#entries.add({
      use: isOther ? 'openai-compatible' : use,
      id,
      apiKey: this.#keyOf(target, key, id, use, path),
      baseUrl: address,
      models: use === 'azure' || isOther ? 'any' : undefined,
    })
    return `${provider}/${model}`
  }

  /** Newer configs write the provider into the model: `@openai-prod/gpt-4o`. */
  #modelOf(target: PortkeyTarget, path: string): { readonly slug?: string | undefined; readonly model: string } {
    const written =
      target.override_params?.model ?? target.azure_deployment_id ?? target.deployment_id ?? this.#options.model
    if (!written) {
      throw new CommandError(
        `${fieldOf(path, 'override_params.model')} is missing: name the model that your clients send with --model gpt-4o`,
      )
    }
    const [, slug, model] = /^@([^/]+)\/(.+)$/.exec(written) ?? []
    if (model !== undefined) return { slug, model }
    return { slug: /^@(.+)$/.exec(target.provider ?? '')?.[1], model: written }
  }

  #providerOf(target: PortkeyTarget, key: string | undefined | null, path: string) {
    const field = (name: string) => fieldOf(path, name)
    const { provider } = target
    if (provider && !provider.startsWith('@')) return { name: provider, field: field('provider') }
    const place = field(target.virtual_key ? 'virtual_key' : target.provider ? 'provider' : 'override_params.model')
    if (!key) throw new CommandError(`${field('provider')} is missing: name the provider, such as "openai"`)
    const given = this.#options.virtualKeys.get(key)
    if (given !== undefined) return { name: given, field: place }
    // The longest name first: `azure-openai` before `openai`.
    const names = Object.keys(known).toSorted((a, b) => b.length - a.length)
    const guessed = names.find((name) => key.toLowerCase().includes(name))
    if (guessed === undefined) {
      throw new CommandError(`${place} "${key}" does not say its provider: name it with --virtual-key ${key}=openai`)
    }
    this.#notes.add(place, `"${key}" was taken for a key of ${guessed}; --virtual-key ${key}=… names another provider`)
    return { name: guessed, field: place }
  }

  #keyOf(
    target: PortkeyTarget,
    key: string | undefined | null,
    id: string,
    use: string,
    path: string,
  ): Setting | undefined {
    const env = key ? variableOf(id) : this.#entries.variableFor(id, target.api_key ?? '')
    const field = (name: string) => fieldOf(path, name)
    if (key) this.#notes.add(field('virtual_key'), `put the key behind "${key}" into the variable ${env}`)
    else if (target.api_key) {
      this.#notes.add(field('api_key'), notCopied(env))
    }
    return key || (target.api_key && use !== 'ollama') ? { env } : undefined
  }

  #azureAddress(target: PortkeyTarget, path: string): Setting {
    const resource = target.azure_resource_name ?? target.resource_name
    if (resource) return `https://${resource}.openai.azure.com/openai/v1`
    const env = 'AZURE_OPENAI_BASE_URL'
    this.#notes.add(
      fieldOf(path, 'azure_resource_name'),
      `is missing: set ${env} to https://<resource>.openai.azure.com/openai/v1`,
    )
    return { env }
  }

  #address(use: string, { custom_host: host }: PortkeyTarget): string | undefined {
    if (!host) return undefined
    return use === 'ollama' ? `${host.replace(/\/+(v1\/*)?$/, '')}/v1` : host.replace(/\/+$/, '')
  }
}
