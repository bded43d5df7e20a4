import type { RequestListener } from 'node:http'
import { requestTarget } from '@fairlead/rest-adapter'
import { startupProbe } from './probes.ts'

/** Serves while the service starts: it answers the probes, and keeps other requests waiting for the application. */
export interface StartupBuffer {
  readonly listener: RequestListener
  /** Hands over to the application what waits, and what comes from now on. */
  open(application: RequestListener): void
}

export function startupBuffer(): StartupBuffer {
  const { promise, resolve } = Promise.withResolvers<RequestListener>()
  let listener: RequestListener = (request, response) => {
    const probe = startupProbe(requestTarget(request.url ?? '/').pathname)
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (!probe || !isRead) return void promise.then((application) => application(request, response))
    response.writeHead(probe.status, { ...probe.headers, 'Content-Length': Buffer.byteLength(probe.body) })
    response.end(request.method === 'HEAD' ? undefined : probe.body)
  }
  return {
    listener: (request, response) => listener(request, response),
    open(application) {
      resolve(application)
      listener = application
    },
  }
}
