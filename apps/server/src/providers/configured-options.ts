import { isRecord } from '../config-file.ts'
import type { Environment, Options } from './http-provider.ts'

/** Options with the values of variables, and the values that must never be shown. */
export interface ConfiguredOptions {
  readonly options: Options
  readonly secrets: readonly string[]
  /** A sentence for each variable that is named but not set. */
  readonly issues: readonly string[]
}

const secretName = /key|token|secret|password|credential|authorization|headers/i

/** Replaces each `{ env: 'NAME' }` with the value of the variable. */
export function readOptions(options: Options, environment: Environment, where: string): ConfiguredOptions {
  const secrets = new Set<string>()
  const issues: string[] = []

  function read(value: unknown, path: string, isSecret: boolean): unknown {
    if (typeof value === 'string' && isSecret) secrets.add(value)
    if (Array.isArray(value)) return value.map((item, index) => read(item, `${path}[${index}]`, isSecret))
    if (!isPlain(value)) return value
    if (isVariable(value)) return valueOf(value.env, path)
    const entries = Object.entries(value)
    return Object.fromEntries(
      entries.map(([name, item]) => [name, read(item, `${path}.${name}`, isSecret || secretName.test(name))]),
    )
  }

  function valueOf(name: string, path: string): string | undefined {
    const value = environment[name]
    if (value) secrets.add(value)
    else issues.push(`${path} names the variable ${name}, which is not set`)
    return value || undefined
  }

  return { options: read(options, where, false) as Options, secrets: [...secrets], issues }
}

function isVariable(value: Options): value is { readonly env: string } {
  return typeof value['env'] === 'string' && Object.keys(value).length === 1
}

/** Instances of classes, such as clients, are passed on unchanged. */
function isPlain(value: unknown): value is Options {
  return isRecord(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value))
}

/** Shorter ones would hide ordinary words. */
const minSecretLength = 4

/** Replaces secrets in a message with `[hidden]`. */
export function withoutSecrets(message: string, secrets: readonly string[]): string {
  const long = secrets.filter((secret) => secret.length >= minSecretLength)
  return long.reduce((text, secret) => text.replaceAll(secret, '[hidden]'), message)
}
