import type { IncomingHttpHeaders } from 'node:http'

// oxlint-disable-next-line typescript/no-explicit-any -- requests of clients have any form
export type Body = any

/** A tool that the upstream calls once, if the request offers it and no result is there yet. */
export interface ToolUse {
  readonly name: string
  /** An object, or the text of a custom tool. */
  readonly input: object | string
  /** The group of a tool in the Responses API. */
  readonly namespace?: string
}

export type Answer = { readonly text: string } | { readonly call: ToolUse }

/** How an API of a vendor reads requests and writes answers. */
export interface EchoDialect {
  /** The fields that the vendor knows. It rejects others. */
  readonly fields: ReadonlySet<string>
  /** The vendor's complaint about other fields. */
  complaint(body: Body, headers: IncomingHttpHeaders): string | undefined
  /** The text of the user, the names of the tools, and whether the request ends with the result of a tool. */
  read(body: Body): { readonly asked: string; readonly tools: readonly string[]; readonly hasResult: boolean }
  whole(body: Body, answer: Answer): object
  /** The events of a stream, each with its name, if the API names them. */
  stream(body: Body, answer: Answer): readonly { readonly event?: string; readonly data: object | string }[]
  error(message: string): object
}

/** Text in pieces, as models send it. */
export function splitText(text: string): readonly string[] {
  return text.match(/[^ ]+ ?| /g) ?? [text]
}

/** OpenAI's complaint about the functions of a request. */
export function functionComplaint(parameters: Body, path: string): string | undefined {
  if (parameters?.type === 'object' && parameters.properties === undefined && !parameters.$ref) {
    return `Invalid schema for function: ${path}: object schema missing properties.`
  }
  return undefined
}
