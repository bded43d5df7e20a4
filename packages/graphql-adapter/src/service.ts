import type { Clock } from '@fairlead/core'
import {
  type AdapterAccess,
  credentialsReader,
  type FairleadCore,
  requireCore,
  requireOptions,
} from '@fairlead/core/adapter'
import { type BodyRoom, defaultBodyRoom } from '@fairlead/http'
import { createEngine } from './execution/engine.ts'
import { defaultLimits, type OperationLimits } from './execution/limits.ts'
import { documentFinder } from './execution/persisted-documents.ts'
import { createYogaHandler } from './http/yoga-handler.ts'
import { buildSchema } from './schema/build-schema.ts'

export interface GraphqlAdapterOptions extends AdapterAccess {
  /** Limits for the size of an operation. Each has its own default. */
  readonly limits?: Partial<OperationLimits> | undefined
  /** Whether clients may introspect the schema. Default: true. */
  readonly introspection?: boolean | undefined
  /** Whether errors suggest the name that was probably meant. Default: true. */
  readonly suggestions?: boolean | undefined
  /** Persisted documents by id. Requests name one with `documentId`. Default: none. */
  readonly documents?: Readonly<Record<string, string>> | undefined
  /** Whether only persisted documents are accepted. Default: false. */
  readonly onlyDocuments?: boolean | undefined
  /** Maximum size of a request body in bytes. Default: 1 MiB. */
  readonly maxBodyBytes?: number | undefined
  /** Limits the bytes of the bodies that are in memory. Default: one for all adapters of the process. */
  readonly bodyRoom?: BodyRoom | undefined
  /** Default: the core's clock. */
  readonly clock?: Clock | undefined
}

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
