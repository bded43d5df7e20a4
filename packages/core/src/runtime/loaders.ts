import type * as z from 'zod'
import type { Access } from './access.ts'
import type { OperationRun, Services } from './run/operation-run.ts'

/** Loads many records by id at once, such as those at the other end of the edges of a list. */
export interface Loader<Data> {
  /** The same access as of the operation that returns one of the records. */
  readonly access: Access
  readonly output: z.ZodType<Data>
  /** Finds the records by id. Leaves out those that the caller may not see. */
  find(
    services: Services,
    context: Pick<OperationRun, 'caller' | 'at'>,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, Found<Data>>>
}

export interface Found<Data> {
  readonly data: Data
  /** Absent if the record has no versions. */
  readonly version?: number
}

/** A field that refers to a record of another type. Only graphs have it: REST has no equivalent. */
export interface Edge {
  readonly description: string
  readonly loader: Loader<unknown>
  /** The id to load; null for no record. */
  readonly idOf: (parent: Readonly<Record<string, unknown>>) => unknown
}

/** Edges by the name of the type that has the field, and of the field. */
export type Edges = Readonly<Record<string, Readonly<Record<string, Edge>>>>

/** The edges of several features: one may add a field to a type of another. */
export function mergeEdges(features: readonly { readonly edges?: Edges }[]): Edges {
  const merged: Record<string, Record<string, Edge>> = {}
  for (const { edges = {} } of features) {
    for (const [type, fields] of Object.entries(edges)) merged[type] = { ...merged[type], ...fields }
  }
  return merged
}

/** Records as the `find` of a loader returns them, with their versions. */
export function toFound<Item extends { readonly id: string; readonly version?: number }, Data>(
  items: readonly Item[],
  toData: (item: Item) => Data,
): ReadonlyMap<string, Found<Data>> {
  return new Map(
    items.map((item) => [
      item.id,
      { data: toData(item), ...(item.version !== undefined && { version: item.version }) },
    ]),
  )
}

/** Declares a loader. Name it in the `edges` of a feature, or in `node` of an operation that returns one of the records. */
export function defineLoader<Data>(loader: Loader<Data>): Loader<Data> {
  return loader
}
