import type { Outbound } from '@fairlead/core/feature'

/** Accepts every https URL without resolving its host name, and responds 204 to every request. */
export function fakeOutbound(): Outbound {
  return {
    check: async (url) => (URL.parse(url)?.protocol === 'https:' ? undefined : 'must use https'),
    request: async () => ({ status: 204, headers: {}, body: Buffer.alloc(0), truncated: false }),
    close() {},
  }
}
