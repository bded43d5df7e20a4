import type { z } from 'zod'
import type { Access, Caller } from './access.ts'
import type { Services } from './call.ts'

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
