import type { ErrorCode, Failure } from '@fairlead/core'
import type { Exchange, Headers } from '@fairlead/http'
import type { ParameterObject, ResponseObject } from './openapi/openapi-object.ts'

/** A response at one path, without prefixes, that is not an operation. It takes `GET` and `HEAD`. */
export interface Page {
  /** `{name}` stands for one or more characters other than a slash. */
  readonly path: `/${string}`
  /** For the OpenAPI document. Default: it does not list the page. */
  readonly description?: PageDescription
  /** May throw a `FairleadError`. */
  answer(exchange: Exchange, parameters: PageParameters): PageAnswer | Failure | Promise<PageAnswer | Failure>
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

/** The parameters of the path. They are not decoded. */
export type PageParameters = Readonly<Record<string, string>>

export interface PageAnswer {
  readonly status: number
  readonly headers: Headers
  /** Default: none. */
  readonly body?: string | Uint8Array
}

export type FindPage = (pathname: string) => { readonly page: Page; readonly parameters: PageParameters } | undefined

export function pageFinder(pages: readonly Page[]): FindPage {
  const patterns = pages.map((page) => ({ page, pattern: patternOf(page.path) }))
  return (pathname) => {
    for (const { page, pattern } of patterns) {
      const match = pattern.exec(pathname)
      if (match) return { page, parameters: match.groups ?? {} }
    }
    return undefined
  }
}

function patternOf(path: string): RegExp {
  const parts = path
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 ? `(?<${part}>[^/]+)` : part.replaceAll('.', '\\.')))
  return new RegExp(`^${parts.join('')}$`)
}
