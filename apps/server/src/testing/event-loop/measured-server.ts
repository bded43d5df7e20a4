import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request as httpRequest } from 'node:http'
import { compileCache } from '../run-main.ts'
import type { HostileRequest } from './hostile-requests.ts'

/** Durations in milliseconds of CPU time. */
export interface Measured {
  /** The longest turn of the event loop from the start of the request to the end of its response. */
  readonly heldMs: number
  /** How long decoding and parsing a JSON string as long as the body took in the same process right afterwards. */
  readonly parseMs: number
}

/** The service in its own process. */
export interface MeasuredServer {
  /** Sends a request, and reads the whole response. */
  ask(request: HostileRequest): Promise<Measured & { readonly status: number }>
  stop(): Promise<void>
}

export async function startMeasured(dataDirectory: string): Promise<MeasuredServer> {
  const child = fork(new URL('serve-measured.ts', import.meta.url), {
    execArgv: ['--conditions=@fairlead/source'],
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: compileCache,
      PORT: '0',
      FAIRLEAD_DATA_DIR: dataDirectory,
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const { port, key } = (await nextMessage(child)) as { readonly port: number; readonly key: string }
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    async ask(hostile) {
      const status = await send(hostile, port, key, agent)
      child.send(Buffer.byteLength(hostile.body ?? ''))
      return { status, ...((await nextMessage(child)) as Measured) }
    },
    async stop() {
      agent.destroy()
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

async function nextMessage(child: ChildProcess): Promise<unknown> {
  const left = new AbortController()
  try {
    const ended = once(child, 'exit', { signal: left.signal }).then(([code]) => {
      throw new Error(`the measured server ended with ${code}`)
    })
    const [message] = await Promise.race([once(child, 'message', { signal: left.signal }), ended])
    return message
  } finally {
    left.abort()
  }
}

function send({ method, path, headers, body, hasKey }: HostileRequest, port: number, key: string, agent: Agent) {
  return new Promise<number>((resolve, reject) => {
    const asked = httpRequest({
      host: '127.0.0.1',
      port,
      method,
      path,
      agent,
      headers: {
        ...(hasKey && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(body)),
        }),
        ...headers,
      },
    })
    asked.on('response', (response) => {
      // The stream of events does not end.
      if (method === 'GET' && response.headers['content-type']?.startsWith('text/event-stream')) response.destroy()
      else response.resume()
      response.on('close', () => resolve(response.statusCode ?? 0))
    })
    // A server that rejects a request before it has read the body closes the connection.
    asked.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE' || error.code === 'ECONNRESET') resolve(0)
      else reject(error)
    })
    asked.end(body)
  })
}
