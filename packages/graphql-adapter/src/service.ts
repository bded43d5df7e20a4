import { credentialsReader, type FairleadCore, requireCore, requireOptions } from '@fairlead/core/adapter'
import { defaultBodyRoom } from '@fairlead/http'
import { createEngine } from './execution/engine.ts'
import { defaultLimits } from './execution/limits.ts'
import { documentFinder } from './execution/persisted-documents.ts'
import { createYogaHandler } from './http/yoga-handler.ts'
import type { GraphqlAdapterOptions } from './options.ts'
import { buildSchema } from './schema/build-schema.ts'

/** Includes the options of `GraphqlListenerOptions`. */
const optionNames: readonly (keyof GraphqlAdapterOptions | 'addressOf' | 'admit' | 'route')[] = [
  'limits',
  'introspection',
  'suggestions',
  'documents',
  'onlyDocuments',
  'maxBodyBytes',
  'bodyRoom',
  'clock',
  'authenticate',
  'anonymous',
  'addressOf',
  'admit',
  'route',
]

/** The service that both forms of the adapter share. */
export type Service = ReturnType<typeof createService>

export function createService(core: FairleadCore, options: GraphqlAdapterOptions) {
  requireCore(core, 'graphqlAdapter(fairlead.core)')
  requireOptions(options, optionNames, 'graphqlAdapter(fairlead.core, { introspection: false })')
  const {
    limits,
    introspection = true,
    suggestions = true,
    documents = {},
    onlyDocuments = false,
    maxBodyBytes = 1024 * 1024,
    bodyRoom = defaultBodyRoom(),
    clock = core.clock,
    ...access
  } = options
  const engine = createEngine({
    schema: buildSchema(core),
    limits: { ...defaultLimits, ...limits },
    introspection,
    suggestions,
  })
  const credentialsOf = credentialsReader(core, access)
  const findDocument = documentFinder(documents, onlyDocuments)
  const yoga = createYogaHandler({ core, engine, findDocument, maxBodyBytes, bodyRoom, now: clock.now })
  return { engine, findDocument, yoga, maxBodyBytes, bodyRoom, clock, credentialsOf }
}
