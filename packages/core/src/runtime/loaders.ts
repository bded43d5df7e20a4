import type { z } from 'zod'
import { type Access, type Caller, type Credentials, authorize, identify } from './access.ts'
import { type Services } from './call.ts'
import { type Failure } from './envelope.ts'
import { type Runtime, asIs } from './run-state.ts'
import { toPublicError, toFailure } from './reply.ts'

/** Finds the records at the other end of many edges at once, for whoever may see them. */
export interface LookUp<Data> {
  /** That of the operation which shows one such record. */
  readonly access: Access
  /** The schema of one record. */
  readonly output: z.ZodType<Data>
  /** What is found under each id. What the caller may not know of is not found. */
  find(services: Services, asked: Asked, ids: readonly string[]): Promise<ReadonlyMap<string, Found<Data>>>
}

/** Who asks, and when, in milliseconds since the epoch. */
export interface Asked {
  readonly caller: Caller
  readonly at: number
}

export interface Found<Data> {
  readonly data: Data
  /** Where the record has versions. */
  readonly version?: number
}

/** Declares a look-up. */
export function defineLookUp<Data>(lookUp: LookUp<Data>): LookUp<Data> {
  return lookUp
}

/** What was found under each id, in their order; or why nothing was looked up. */
export type LookUpReply<Data> =
  | { readonly success: true; readonly found: readonly (Found<Data> | undefined)[] }
  | Failure

/** Identifies and authorizes as for the operation, then finds. It costs no unit: it belongs to an answer that did. */
export async function runLookUp<Data>(
  { ready, authenticator, clock, log, newId }: Runtime,
  lookUp: LookUp<Data>,
  credentials: Credentials,
  ids: readonly string[],
  requestId = newId('req'),
): Promise<LookUpReply<Data>> {
  const at = clock.now()
  try {
    const services = await ready()
    const caller = await identify(authenticator, credentials, lookUp.access)
    authorize(caller, lookUp.access)
    const found = await lookUp.find(services, { caller, at }, [...new Set(ids)])
    return { success: true, found: ids.map((id) => found.get(id)) }
  } catch (error) {
    return toFailure(toPublicError(log, { requestId }, error), { requestId, at, spell: asIs })
  }
}
