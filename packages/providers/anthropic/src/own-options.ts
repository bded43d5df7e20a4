import { type Issue, ProviderError, type ProviderOptions } from '@fairlead/core/provider'
import type { MessageRequest } from './wire.ts'

/** The option for beta features, which the API takes in a header and not in the body. */
const betaOption = 'anthropic_beta'
const betaHeader = 'anthropic-beta'

type Headers = Readonly<Record<string, string>>

export interface FinalRequest {
  readonly body: MessageRequest
  readonly headers: Headers
}

/**
 * Adds the provider's own options of a request: tools to the tools, fields of `output_config` to the others, and anything
 * else in the place of a field of that name. Null leaves a field to the API's default.
 *
 * @param configured the headers of the provider, whose beta features remain
 * @throws ProviderError for beta features that are not names
 */
export function withOwnOptions(
  body: MessageRequest,
  options: ProviderOptions | undefined,
  id: string,
  configured: Headers = {},
): FinalRequest {
  const own = options?.[id]
  if (!own) return { body, headers: {} }
  const { [betaOption]: betas = [], tools, output_config, ...fields } = own
  const output = withoutNulls({ ...body.output_config, ...(output_config as object | undefined) })
  const { output_config: _output, ...rest } = withoutNulls({ ...body, ...fields })
  return {
    body: {
      ...(rest as unknown as MessageRequest),
      ...(tools !== undefined && { tools: [...(body.tools ?? []), ...(Array.isArray(tools) ? tools : [tools])] }),
      ...(Object.keys(output).length > 0 && { output_config: output }),
    },
    headers: betaHeaders(betas, id, configured),
  }
}

/** The header for beta features, in addition to the configured ones. Throws as `withOwnOptions`. */
export function betaHeaders(betas: unknown, id: string, configured: Headers = {}): Headers {
  const requested = readBetas(betas, id)
  const kept = Object.entries(configured).filter(([name]) => name.toLowerCase() === betaHeader)
  return requested.length === 0 ? {} : { [betaHeader]: [...kept.map(([, value]) => value), ...requested].join(',') }
}

/** The version of the API that requests have unless a client asks for another. */
export const defaultVersion = '2023-06-01'
/** Those whose answers Fairlead reads. The vendor's own SDK has sent the last one since its version 1. */
const versions: ReadonlySet<unknown> = new Set([defaultVersion, '2026-10-21'])
const versionName = 'anthropic-version'

/** The header for the version of the API that a client asks for. The configured version takes precedence. */
export function versionHeader(
  version: unknown,
  configured: Headers = {},
): { readonly headers: Headers; readonly warnings: readonly Issue[] } {
  const isConfigured = Object.keys(configured).some((name) => name.toLowerCase() === versionName)
  if (version === undefined || version === defaultVersion || isConfigured) return { headers: {}, warnings: [] }
  if (versions.has(version)) return { headers: { [versionName]: String(version) }, warnings: [] }
  const issue = `is not known: ${defaultVersion} was used`
  return { headers: {}, warnings: [{ field: versionName, issue }] }
}

function withoutNulls(fields: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
}

function readBetas(value: unknown, id: string): readonly string[] {
  const list: readonly unknown[] =
    typeof value === 'string' ? value.split(',').map((name) => name.trim()) : [value].flat()
  return list.map((name) => {
    if (typeof name === 'string' && /^[\w.-]{1,100}$/.test(name)) return name
    const detail = 'must be names of beta features, such as ["compact-2026-01-12"]'
    throw new ProviderError('invalid_request', detail, { field: `providerOptions.${id}.${betaOption}`, detail })
  })
}
