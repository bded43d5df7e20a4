import { type Clock, credentialsReader, type FairleadCore, type ReadCredentials, systemClock } from '@fairlead/core'
import { buildSchema } from '../build-schema.ts'
import { documentFinder, type FindDocument } from '../execution/asked-document.ts'
import { createEngine, type Engine } from '../execution/engine.ts'
import { defaultLimits } from '../execution/limits.ts'
import type { GraphqlAdapterOptions } from '../options.ts'
import { createHandler, type Handler } from './create-handler.ts'

/** What answers requests, however they come in. */
export interface Service {
  readonly engine: Engine
  readonly findDocument: FindDocument
  readonly handler: Handler
  readonly maxBodyBytes: number
  readonly clock: Clock
  readonly credentialsOf: ReadCredentials
}

const defaultMaxBodyBytes = 1024 * 1024

export function createService(
  core: FairleadCore,
  {
    limits,
    introspection = true,
    suggestions = true,
    documents = {},
    onlyDocuments = false,
    maxBodyBytes = defaultMaxBodyBytes,
    clock = systemClock,
    ...access
  }: GraphqlAdapterOptions,
): Service {
  const engine = createEngine({
    schema: buildSchema(core.operations),
    limits: { ...defaultLimits, ...limits },
    introspection,
    suggestions,
  })
  const credentialsOf = credentialsReader(core, access)
  const findDocument = documentFinder(documents, onlyDocuments)
  const handler = createHandler({ core, engine, findDocument, maxBodyBytes, now: clock.now })
  return { engine, findDocument, handler, maxBodyBytes, clock, credentialsOf }
}
