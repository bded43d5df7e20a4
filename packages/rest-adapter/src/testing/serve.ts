import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { AccessLogRecord } from '@fairlead/core'
import {
  failing,
  fakeImageModel,
  fakePainter,
  reader,
  scripted,
  testCore,
  type TestCore,
  fakeTextModel,
} from '@fairlead/testing'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { onTestFinished } from 'vitest'
import { expectDocumentedResponses } from './expect-documented-responses.ts'
import { PathTable, type SurfaceAdapter } from '@fairlead/http'
import { restAdapter, type RestAdapterOptions } from '../rest-adapter.ts'

type CoreOptions = NonNullable<Parameters<typeof testCore>[0]>

export interface ServeOptions extends Partial<Omit<RestAdapterOptions, 'clock'>> {
  /** Default: `everything`. */
  readonly providers?: CoreOptions['providers']
  readonly stores?: CoreOptions['stores']
  readonly timeouts?: CoreOptions['timeouts']
  readonly rateLimits?: CoreOptions['rateLimits']
  /** Runs before the adapter, as a middleware would. */
  readonly before?: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>
  /** Mounts the Node handler under a path, as `app.use` of Express does. */
  readonly mountedAt?: string
  /** The handler of the adapter that the server uses. Default: `node`. */
  readonly form?: 'node' | 'fetch'
}

/** A service on its own port, closed when the test ends. */
export interface Served extends TestCore {
  readonly url: string
  readonly port: number
  readonly server: Server
  readonly adapter: SurfaceAdapter
  /** Bytes of responses that are buffered in the server. */
  bufferedBytes(): number
  readonly accessLog: readonly AccessLogRecord[]
  /** Sends a request with the test's API key. A body that is not text or bytes is sent as JSON. */
  ask(method: string, path: string, options?: AskOptions): Promise<Reply>
  /** Sends bytes, and reads to the end of the connection. */
  raw(bytes: string | Uint8Array): Promise<string>
}

export interface AskOptions {
  readonly body?: unknown
  /** Override the default headers; undefined removes one. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly signal?: AbortSignal
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read bodies of any shape
  readonly json: any
}

/** A provider for each capability, and one that fails. */
const everything = [
  scripted('calm', 'hello there'),
  fakePainter('brush'),
  reader('reader', {
    sentiment: { score: 0.5, label: 'positive' },
    entities: [{ text: 'Ada', type: 'PERSON', confidence: 0.9 }],
    keywords: [{ text: 'engine', score: 1 }],
  }),
  { ...failing('down', 'retry'), models: [fakeTextModel({ id: 'broken' }), fakeImageModel({ id: 'broken-picture' })] },
] as const

/** Both handlers of the adapter, for tests that apply to each. */
export const forms: readonly [name: string, serve: (options?: ServeOptions) => Promise<Served>][] = [
  ['the Node handler', (options) => serve(options)],
  ['the fetch handler', (options) => serve({ ...options, form: 'fetch' })],
]

export async function serve({
  form = 'node',
  providers = everything,
  stores,
  timeouts,
  rateLimits,
  before,
  mountedAt = '',
  ...options
}: ServeOptions = {}): Promise<Served> {
  const accessLog: AccessLogRecord[] = []
  const core = await testCore({
    providers,
    observer: { requestEnded: (record) => void accessLog.push(record) },
    baseUrl: 'https://ai.example.com',
    ...(stores && { stores }),
    ...(timeouts && { timeouts }),
    ...(rateLimits && { rateLimits }),
  })
  const adapter = restAdapter(core.core, {
    service: { name: 'Fairlead', version: '1.2.3', documents: {} },
    ...options,
    clock: core.clock,
  })
  const listener = form === 'node' ? adapter : fetchListener(adapter)
  const responses = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    responses.add(response)
    if (mountedAt !== '') mount(request, mountedAt)
    const ready = before?.(request, response)
    if (ready) void ready.then(() => listener(request, response))
    else listener(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => stopServer(server))
  const { port } = server.address() as AddressInfo
  if (mountedAt === '') expectDocumentedResponses(port, { isUndocumented: undocumentedBy(options) })
  const url = `http://127.0.0.1:${port}`
  const ask: Served['ask'] = (method, path, { body, headers, signal } = {}) =>
    askAt(url + path, method, body, { authorization: `Bearer ${core.caller.token}`, ...headers }, signal)
  const bufferedBytes = () => [...responses].reduce((total, { writableLength }) => total + writableLength, 0)
  return {
    ...core,
    url,
    port,
    server,
    adapter,
    bufferedBytes,
    accessLog,
    ask,
    raw: (bytes) => exchangeBytes(port, bytes),
  }
}

function mount(request: IncomingMessage, path: string): void {
  Object.assign(request, { baseUrl: path, url: request.url?.slice(path.length).replace(/^(?=\?|$)/, '/') })
}

/** Serves the fetch handler, as servers with `Request` and `Response` do. */
function fetchListener({ handle }: SurfaceAdapter) {
  const handler = (request: Request, { incoming }: HttpBindings) =>
    handle(request, { address: incoming.socket.remoteAddress })
  return getRequestListener(handler as Parameters<typeof getRequestListener>[0], { overrideGlobalObjects: false })
}

/** Pages and routes of a test are not in the OpenAPI document. */
function undocumentedBy({ routes, pages = [], basePath = '' }: Pick<ServeOptions, 'routes' | 'pages' | 'basePath'>) {
  const table = new PathTable<true>()
  for (const { path } of pages) table.at(path, () => true)
  return (pathname: string) => routes !== undefined || basePath !== '' || table.find(pathname) !== undefined
}

function stopServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

async function askAt(
  url: string,
  method: string,
  body: unknown,
  headers: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal | undefined,
): Promise<Reply> {
  const asIs = body === undefined || typeof body === 'string' || body instanceof Uint8Array
  const all = { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers }
  const response = await fetch(url, {
    method,
    headers: Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ...(body !== undefined && { body: asIs ? (body as NonNullable<RequestInit['body']>) : JSON.stringify(body) }),
    ...(signal && { signal }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== ''
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined }
}

function exchangeBytes(port: number, bytes: string | Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket.setEncoding('latin1')
    socket.on('data', (text) => (received += text))
    socket.on('end', () => resolve(received))
    socket.on('error', reject)
  })
}
