import type { IncomingHttpHeaders } from 'node:http'
import { type FairleadCore, requireCore, requireOptions } from '@fairlead/core/adapter'
import {
  type HeaderList,
  type SurfaceAdapter,
  surfaceAdapter,
  type SurfaceOptions,
  surfaceOptionNames,
} from '@fairlead/http'
import { errorStatus, toErrorBody } from './errors.ts'
import { countMessageTokens, createMessage } from './messages.ts'
import { models } from './models.ts'

export interface AnthropicAdapterOptions extends SurfaceOptions {
  /**
   * The ids of the providers that speak Anthropic's API, which get all that only it has: a list, or a function that returns
   * it for each request. Default: `anthropic`.
   */
  readonly providers?: readonly string[] | (() => readonly string[]) | undefined
}

const example = 'anthropicAdapter(fairlead.core)'

/**
 * Anthropic's API over the operations of a core. Its paths begin with `/v1`.
 *
 * @example
 *   app.use('/anthropic', anthropicAdapter(fairlead.core)) // Express
 *   new Anthropic({ baseURL: 'http://localhost:8080/anthropic', apiKey: 'fl_…' })
 */
export function anthropicAdapter(core: FairleadCore, options: AnthropicAdapterOptions = {}): SurfaceAdapter {
  requireCore(core, example)
  requireOptions(options, [...surfaceOptionNames, 'providers'], example)
  const { providers: given = ['anthropic'], ...rest } = options
  const providers = typeof given === 'function' ? given : () => given
  const surface = {
    endpoints: [createMessage(providers), countMessageTokens(providers), ...models],
    authorizationOf: readAuthorization,
    addHeaders: (headers: HeaderList, requestId: string) => void headers.push('request-id', requestId),
    errorBody: toErrorBody,
    errorStatus,
  }
  return surfaceAdapter(core, surface, rest)
}

function readAuthorization({ authorization, 'x-api-key': key }: IncomingHttpHeaders): string | undefined {
  return typeof key === 'string' && key !== '' ? `Bearer ${key}` : authorization
}
