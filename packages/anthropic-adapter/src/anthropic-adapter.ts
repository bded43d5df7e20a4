import { type FairleadCore, requireCore, requireOptions } from '@fairlead/core'
import {
  type Surface,
  type SurfaceAdapter,
  surfaceAdapter,
  type SurfaceOptions,
  surfaceOptionNames,
} from '@fairlead/node-http'
import { errorStatus, toErrorBody } from './errors.ts'
import { getModel, listModels } from './models.ts'

const example = 'anthropicAdapter(fairlead)'

const surface: Surface = {
  endpoints: [listModels, getModel],
  authorizationOf({ authorization, 'x-api-key': key }) {
    return typeof key === 'string' ? `Bearer ${key}` : authorization
  },
  errorBody: toErrorBody,
  errorStatus,
}

/**
 * Anthropic's API over the operations of a core. Its paths begin with `/v1`.
 *
 * @example
 *   app.use('/anthropic', anthropicAdapter(fairlead)) // Express
 *   new Anthropic({ baseURL: 'http://localhost:8080/anthropic', apiKey: 'fl_…' })
 */
export function anthropicAdapter(core: FairleadCore, options: SurfaceOptions = {}): SurfaceAdapter {
  requireCore(core, example)
  requireOptions(options, surfaceOptionNames, example)
  return surfaceAdapter(core, surface, options)
}
