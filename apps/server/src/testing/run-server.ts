import { Writable } from 'node:stream'
import type { FairleadConfig } from '../define-config.ts'
import type { Provider } from '@fairlead/core/provider'
import { fakePainter, reader, scripted } from '@fairlead/testing'
import { expectDocumentedResponses } from '@fairlead/rest-adapter/testing'
import { onTestFinished } from 'vitest'
import { readConfig } from '../config.ts'
import { type RunningServer, start } from '../start.ts'
import { isUndocumented } from './is-undocumented.ts'
import { temporaryFolder } from './run-main.ts'

export interface TestResponse {
  readonly status: number
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read bodies of any shape
  readonly data: any
}

export interface TestServer extends RunningServer {
  readonly dataDirectory: string
  /** The log so far. */
  logged(): string
  /** Sends JSON, and returns the response. */
  ask(method: string, path: string, body?: unknown, token?: string): Promise<TestResponse>
}

function defaultProviders(): readonly Provider[] {
  return [scripted('calm', 'hello there'), fakePainter('brush'), reader('reader', { entities: [] })]
}

/** Starts the service on a free port, with providers that need no model. @param settings of the configuration file */
export async function runServer(
  environment: Readonly<Record<string, string>> = {},
  providers: readonly Provider[] = defaultProviders(),
  settings?: FairleadConfig,
): Promise<TestServer> {
  const dataDirectory = environment['FAIRLEAD_DATA_DIR'] ?? temporaryFolder()
  const config = readConfig({
    PORT: '0',
    FAIRLEAD_DATA_DIR: dataDirectory,
    // Tests send more requests without a key than people.
    FAIRLEAD_ANONYMOUS_REQUESTS_PER_MINUTE: '0',
    ...environment,
  })
  let logged = ''
  const logTo = new Writable({
    write(chunk: Buffer, _encoding, done) {
      logged += chunk.toString()
      done()
    },
  })
  const server = await start(config, {
    service: { name: 'Fairlead', version: '0.0.0' },
    logTo,
    file: settings && { path: 'fairlead.config.ts', name: 'fairlead.config.ts', config: settings },
    loadProviders: async () => providers,
    // No test sends a request while the server stops.
    graceMs: 0,
  })
  expectDocumentedResponses(server.port, { isUndocumented: isUndocumented })
  let stopping: Promise<void> | undefined
  const stop = () => (stopping ??= server.stop())
  onTestFinished(stop)
  return {
    ...server,
    stop,
    dataDirectory,
    logged: () => logged,
    async ask(method, path, body, token) {
      const response = await fetch(server.baseUrl + path, {
        method,
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      return { status: response.status, text, data: text.startsWith('{') ? JSON.parse(text).data : undefined }
    },
  }
}
