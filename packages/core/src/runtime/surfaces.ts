import { z } from 'zod'

export type RestMethod = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** The REST route of an operation. */
export interface RestRoute {
  readonly method: RestMethod
  /** Without a prefix. `{name}` is a segment whose value becomes the input field of that name. */
  readonly path: `/${string}`
  /** Whether the fields of the result also stand at the top level under `/v1`. Default: false. */
  readonly quickStart?: boolean
  /** For `Location`: the path of the created record, and the field of the result that holds it. Default: this path, the whole result. */
  readonly creates?: { readonly path: `/${string}`; readonly field: string }
  /** The largest body in bytes, where the service sets no limit for all routes. Default: 1 MiB. */
  readonly maxBodyBytes?: number
  /** What the operation does to the session whose refresh token may be in a cookie. Default: nothing. */
  readonly session?: 'begins' | 'continues' | 'ends'
}

/** The GraphQL root field of an operation. An operation that streams is a subscription too: `<mutation>Stream`. */
export type GraphqlField =
  | {
      readonly query: string
      /** The id prefix of the records that the operation returns, where `node(id:)` may find them. Default: none. */
      readonly node?: string
    }
  | { readonly mutation: string }

/**
 * Type names for schemas that have no `id`: GraphQL names every object and every enum. A schema without a name here is
 * named after the type and the field it stands in, such as `ModelPricing`.
 *
 * @example
 *   const tone = z.enum(['formal', 'casual']).register(typeNames, { name: 'Tone' })
 */
export const typeNames: z.core.$ZodRegistry<{ readonly name: string }> = z.registry<{ readonly name: string }>()

/** A part of the API reference: the paths that begin with one of its segments. */
export interface ReferenceSection {
  readonly name: string
  readonly description: string
  /** The first segments of its paths. */
  readonly segments: readonly string[]
  /** The prefix under which the reference lists its paths. Default: none. */
  readonly prefix?: '' | '/v1' | '/api/v1'
}
