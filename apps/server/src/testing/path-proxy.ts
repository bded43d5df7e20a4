import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface PathProxy {
  readonly origin: string
  /** The address of the other server. */
  readonly home: string
  passTo(port: number): void
  close(): void
}

/** A proxy that serves another server under `/ai`, and keeps or removes that path in the requests that it passes on. */
export async function pathProxy(mode: 'keeps' | 'removes'): Promise<PathProxy> {
  let port = 0
  const server = createServer((request, response) => {
    const { url = '', method, headers } = request
    if (!/^\/ai(?=[/?]|$)/.test(url)) return void response.writeHead(404).end('not of this service')
    const below = url.slice('/ai'.length)
    const path = mode === 'keeps' ? url : below.startsWith('/') ? below : `/${below}`
    const passed = send({ port, path, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    passed.on('error', () => response.destroy())
    request.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    home: `${origin}/ai`,
    passTo: (to) => void (port = to),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
