/**
 * Why a request received no response. `blocked`: the URL may not be contacted. `dns`: the host name did not
 * resolve to an address that may be contacted.
 * `connect`: no connection. `tls`: no secure connection, for example because of an expired certificate. `reset`: the
 * connection was closed before the response was complete. `invalid_response`: the response is not HTTP.
 */
export type OutboundErrorKind = 'blocked' | 'dns' | 'connect' | 'tls' | 'timeout' | 'reset' | 'invalid_response'

/** A request that received no response. The message is for the log. */
export class OutboundError extends Error {
  readonly kind: OutboundErrorKind

  constructor(kind: OutboundErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'OutboundError'
    this.kind = kind
  }
}
