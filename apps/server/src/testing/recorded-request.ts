import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ServedApp } from './serve-app.ts'

/** A request that a program sent to the service, with shorter texts, fewer tools, and no data of its user. */
export interface RecordedRequest {
  /** The program and its version. */
  readonly client: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  // oxlint-disable-next-line typescript/no-explicit-any -- bodies have the forms of several APIs
  readonly body: any
}

/** @param name of a file in `clients/requests` */
export function recordedRequest(name: string): RecordedRequest {
  const file = join(import.meta.dirname, `../clients/requests/${name}.json`)
  return JSON.parse(readFileSync(file, 'utf8')) as RecordedRequest
}

/** Sends a recorded request with the test's API key. */
export async function resend({ ask }: Pick<ServedApp, 'ask'>, { path, headers, body }: RecordedRequest) {
  const response = await ask(path, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await response.text()
  const events = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data = '']) => JSON.parse(data))
  const { status, headers: sent } = response
  return {
    status,
    ignored: sent.get('x-fairlead-ignored'),
    warnings: sent.get('x-fairlead-warnings') ?? '',
    text,
    events,
  }
}
