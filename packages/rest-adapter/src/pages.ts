import type { ErrorCode } from '@fairlead/core'
import type { PageEndpoint } from '@fairlead/http'
import type { ParameterObject, ResponseObject } from './openapi/openapi-object.ts'

/** A response at one path, without prefixes, that is not an operation. */
export interface Page extends Pick<PageEndpoint, 'respond' | 'method'> {
  /** `{name}` stands for a segment, or for its beginning, as in `/images/{id}.png`. */
  readonly path: `/${string}`
  /** For the OpenAPI document, if it takes `GET`. Default: the document does not list the page. */
  readonly description?: PageDescription
}

/** A page as the OpenAPI document describes it. */
export interface PageDescription {
  /** Unique among operations and pages. */
  readonly operationId: string
  /** One sentence. */
  readonly summary: string
  /** More about it: who may ask, and what it costs. */
  readonly description: string
  readonly parameters?: readonly ParameterObject[]
  /** Whether it requires a credential. Default: false. */
  readonly secured?: boolean
  /** Whether it is answered although the adapter's `admit` would reject the request. Default: false. */
  readonly exempt?: boolean
  /** The errors that it may return, besides `INTERNAL_ERROR`. */
  readonly errors?: readonly ErrorCode[]
  /** Its other responses, by status. */
  readonly responses: Readonly<Record<string, ResponseObject>>
}
