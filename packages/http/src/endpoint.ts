import type { IncomingHttpHeaders } from 'node:http'
import type { Failure, Operation, RestMethod, Success } from '@fairlead/core'
import type { FairleadCore, NativeRequest, Tags } from '@fairlead/core/adapter'
import type { Exchange, HttpRequest } from './http-request.ts'
import type { Fields } from './request-fields.ts'
import type { EventWriter, HeaderList, PartsBody } from './responses.ts'

/** An API over the operations of a core. It translates requests to `core.run` and back, and decides nothing. */
export interface Surface {
  readonly endpoints: readonly Endpoint[]
  /** Paths that are answered without an operation. Default: none. */
  readonly pages?: readonly PageEndpoint[]
  /** The value of `Authorization` that a request amounts to. Default: its header `Authorization`. */
  authorizationOf?(headers: IncomingHttpHeaders): string | undefined
  /** Adds the headers of every response. Default: none beyond the usual ones. */
  addHeaders?(headers: HeaderList, requestId: string): void
  /** The body of an error. Its fields are spelled as in the surface's API. */
  errorBody(failure: Failure): unknown
  /** The status of an error, if it differs from the usual one. Default: the usual one. */
  errorStatus?(failure: Failure): number | undefined
  /** The message for an unknown path. Default: names the path. */
  unknownPath?(method: string, path: string, basePath: string): string
  /** Whether generated images are served below the surface's base, so that their addresses begin with it. Default: false. */
  readonly hasImages?: boolean
  /** Whether bodies have the warnings of a reply, so that only streams need them as a header. Default: false. */
  readonly hasWarnings?: boolean
}

/** One path and method of a surface. */
export interface Endpoint {
  readonly method: RestMethod
  /** Below the surface's base. `{name}` stands for a segment, `{+name}` for one or more segments at the end. */
  readonly path: string
  /** The core's operation, or its name. */
  readonly operation: Operation | string
  /** Default: 1 MiB. */
  readonly maxBodyBytes?: number | undefined
  /** How many numbers a body may have beside its tokens, for lists of them. Default: 0. */
  readonly maxNumbers?: number | undefined
  /** Whether the header `If-Match` counts. Default: false. */
  readonly takesIfMatch?: boolean
  /** Translates a request. Throws `FairleadError` for one that has no translation. */
  translate(request: SurfaceRequest): Translation
  /** The body of an error, if it differs from the surface's usual one. */
  errorBody?(failure: Failure): unknown
  /** Adds headers to every response of the path. */
  addHeaders?(headers: HeaderList): void
}

/** A path without an operation. */
export interface PageEndpoint {
  /** Like the path of an endpoint; `{name}` may have a suffix, such as `{id}.png`. */
  readonly path: string
  /** Default: `GET`, and with it `HEAD`. */
  readonly method?: 'GET' | 'POST' | undefined
  /** Whether it responds although `admit` would reject the request. Default: false. */
  readonly exempt?: boolean | undefined
  /** May throw a `FairleadError`. */
  respond(exchange: Exchange, parameters: PageParameters): PageResponse | Failure | Promise<PageResponse | Failure>
}

/** The parameters of the path, decoded. */
export type PageParameters = Readonly<Record<string, string>>

export interface PageResponse {
  readonly status: number
  /** Beside `X-Request-Id`. */
  readonly headers: Readonly<Record<string, string>>
  /** Default: none. */
  readonly body?: string | Uint8Array | PartsBody
}

export interface SurfaceRequest {
  /** The fields of the JSON body; `{}` for GET and DELETE, whose body has no meaning (RFC 9110, 9.3.1 and 9.3.5). Unchecked. */
  readonly body: Fields
  readonly headers: IncomingHttpHeaders
  readonly parameters: PageParameters
  readonly http: HttpRequest
  readonly core: FairleadCore
}

/** A request in terms of an operation, and the way back. */
export interface Translation {
  /** The operation's input; with `stream: true` if the client asked for a stream. */
  readonly input: unknown
  /** The request in the form of the surface's API, for providers of the same API. Default: none. */
  readonly native?: NativeRequest | undefined
  /** The tags that the request has in the form of the surface's API. Default: none. */
  readonly tags?: Tags | undefined
  /** The metadata that the request has in the form of the surface's API: tags, for keys that take them. Default: none. */
  readonly metadata?: Tags | undefined
  /** Fields that had no effect, by the provider and the model that answer, for `X-Fairlead-Ignored`. Default: none. */
  readonly ignored?:
    | readonly string[]
    | ((provider: string | undefined, model: string | undefined) => readonly string[])
  /** The surface's name for a field of the input: `messages[0].content` of `messages[0].content[0]`. Default: the same. */
  spell?(field: string): string
  /** Adds the headers that only this reply has, and returns its status: 304 for no body. Default: 200. */
  addHeaders?(headers: HeaderList, reply: Success<unknown>): number
  /** Adds the headers that only this failure has. */
  addFailureHeaders?(headers: HeaderList, failure: Failure): void
  /** The body of a success: JSON, or text that is JSON already. Called after `addHeaders`. */
  toBody(reply: Success<never>, requestId: string): unknown
  /** Called once for each stream. @param created when the request came, in Unix seconds */
  toEvents?(requestId: string, created: number): EventWriter
}
