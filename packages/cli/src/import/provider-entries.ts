import type { ProviderUse } from '@fairlead/server'
import type { Model } from '@fairlead/core/provider'
import { defined } from './fields.ts'
import type { Setting } from './imported.ts'
import type { Notes } from './notes.ts'

export interface ProviderFacts {
  /** The built-in provider. */
  readonly use: string
  /** The id that it should have, such as `azure`. Letters that an id cannot have become dashes. */
  readonly id: string
  readonly apiKey?: Setting | undefined
  readonly baseUrl?: Setting | undefined
  readonly headers?: Readonly<Record<string, Setting>> | undefined
  /** `any` for models that the API does not list. */
  readonly models?: 'any' | readonly Model[] | undefined
  /** Whether clients choose among all models of the API. */
  readonly isWildcard?: boolean | undefined
}

/** The providers of a configuration. Models with the same key and address share one. */
export class ProviderEntries {
  readonly #entries = new Map<string, Required<Pick<ProviderFacts, 'use' | 'id'>> & ProviderFacts>()

  /** The variables of secrets. */
  readonly #variables = new Map<string, string>()
  readonly #reserved: readonly string[]

  /** @param reserved variables that have another value */
  constructor(reserved: readonly string[] = []) {
    this.#reserved = reserved
  }

  /** Returns the id of the provider. */
  add({ id: wanted, models, isWildcard, ...facts }: ProviderFacts): string {
    const key = JSON.stringify([facts.use, facts.apiKey, facts.baseUrl, facts.headers])
    const known = this.#entries.get(key)
    const id = known?.id ?? this.#freeId(wanted)
    this.#entries.set(key, {
      ...facts,
      id,
      models: models ?? known?.models,
      isWildcard: isWildcard || known?.isWildcard,
    })
    return id
  }

  /** Whether the provider is known to have its models only because they are in the document. */
  takesList(id: string): boolean {
    return [...this.#entries.values()].some((each) => each.id === id && each.models === 'any' && !each.isWildcard)
  }

  setModels(id: string, models: readonly Model[]): void {
    for (const [key, entry] of this.#entries) if (entry.id === id) this.#entries.set(key, { ...entry, models })
  }

  /** The variable for a secret of the document: `AZURE_API_KEY`, and `AZURE_2_API_KEY` for another secret. */
  variableFor(id: string, secret: string, kind = 'api-key'): string {
    const known = this.#variables.get(secret)
    if (known !== undefined) return known
    const taken = [...this.#variables.values(), ...this.#reserved]
    let variable = variableName(id, kind)
    for (let index = 2; taken.includes(variable); index++) variable = variableName(`${id}-${index}`, kind)
    this.#variables.set(secret, variable)
    return variable
  }

  list(): readonly ProviderUse[] {
    return [...this.#entries.values()].map(({ use, id, apiKey, baseUrl, headers, models }) => ({
      use,
      ...(id !== use && { id }),
      ...defined({ apiKey, baseUrl, headers, models }),
    }))
  }

  #freeId(wanted: string): string {
    const id = wanted.toLowerCase().replace(/[^a-z0-9.-]+/g, '-')
    const taken = new Set([...this.#entries.values()].map((entry) => entry.id))
    for (let index = 1; ; index++) {
      const candidate = index === 1 ? id : `${id}-${index}`
      if (!taken.has(candidate)) return candidate
    }
  }
}

/** The name of a variable for a secret of a provider: `OPENAI_2_API_KEY`. */
export function variableName(id: string, kind = 'api-key'): string {
  return `${id}-${kind}`.toUpperCase().replace(/[^A-Z0-9]+/g, '_')
}

/** The note about a secret of the document. */
export function notCopied(variable: string): string {
  return `is a secret, so it was not copied. Put it into the variable ${variable}`
}

/** The address without its user name and password, which are named in a note. */
function withoutCredentials(address: Setting | undefined, path: string, notes: Notes): Setting | undefined {
  const url = typeof address === 'string' ? URL.parse(address) : null
  if (!url || url.username + url.password === '') return address
  notes.add(path, 'has a user name and a password, which were not copied. Send them with "headers" of the provider')
  return Object.assign(url, { username: '', password: '' }).href
}

/** The built-in provider and the base URL of a target. OpenAI's API at another address belongs to another server. */
export function chooseServer(
  use: string,
  given: Setting | undefined,
  path: string,
  notes: Notes,
): { readonly use: string; readonly baseUrl: Setting | undefined } {
  const address = withoutCredentials(given, path, notes)
  const isOther = use === 'openai' && address !== undefined && !isOpenai(address)
  const baseUrl = typeof address === 'string' ? toBaseUrl(use, address) : address
  return { use: isOther ? 'openai-compatible' : use, baseUrl }
}

function isOpenai(address: Setting): boolean {
  return typeof address === 'string' && /(^|\.)openai\.com$/.test(URL.parse(address)?.hostname ?? '')
}

/** Azure's API without versions, and OpenAI's API of Ollama. */
function toBaseUrl(use: string, address: string): string {
  if (use === 'azure' && URL.canParse(address)) return `${new URL(address).origin}/openai/v1`
  if (use === 'ollama') return `${address.replace(/\/+(v1\/*)?$/, '')}/v1`
  return address.replace(/\/+$/, '')
}

/** The first label of a host, for the id of a server: `models` for `http://models.internal:8000/v1`. */
export function serverName(address: Setting): string {
  if (typeof address !== 'string' || !URL.canParse(address)) return 'server'
  const { hostname } = new URL(address)
  const [label = ''] = hostname.replace(/^(api|www|inference)\./, '').split('.')
  return /^[a-z][a-z0-9-]*$/.test(label) ? label : 'server'
}
