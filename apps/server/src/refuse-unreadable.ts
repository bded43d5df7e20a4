import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { unreadableRequest } from '@fairlead/rest-adapter'
import { securityHeaders } from './security-headers.ts'

type Refuse = (error: Error, socket: Duplex) => void

/** Answers what is no request, so that there is no `ServerResponse` for it, and closes the connection. */
export function refuseUnreadable(isSecure: boolean): Refuse {
  const secured = [...securityHeaders(isSecure)]
  return (error, socket) => {
    if (socket.writable && !isAnswering(socket)) {
      const { status, headers, body } = unreadableRequest(error)
      const lines = [...secured, ...Object.entries(headers), ['Connection', 'close']].map((line) => line.join(': '))
      socket.write([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'))
    }
    socket.destroy(error)
  }
}

/** Whether an answer to what came before has begun: nothing may stand within it. */
function isAnswering(socket: Duplex & { readonly _httpMessage?: ServerResponse | null }): boolean {
  // oxlint-disable-next-line no-underscore-dangle -- Node's own handler asks the same, and nothing else tells
  return socket._httpMessage?.headersSent === true
}
