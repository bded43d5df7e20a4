import type { HttpRequest } from '@fairlead/http'
import { createPublicPath } from './public-path.ts'

export interface ServiceCookieOptions {
  /** Without the prefix that browsers check. */
  readonly name: string
  readonly sameSite: 'Strict' | 'Lax'
}

export type ServiceCookie = ReturnType<typeof serviceCookie>

/**
 * A cookie that scripts cannot read, for the pages of the service.
 *
 * @param baseUrl the public address of the service; over plain http on loopback, browsers keep no `Secure` cookie. If it has
 *   a path, browsers send the cookie only there, and not to other services of the host.
 */
export function serviceCookie(baseUrl: string | undefined, options: ServiceCookieOptions) {
  const home = baseUrl === undefined ? null : URL.parse(baseUrl)
  const plain = home?.protocol === 'http:' && isLoopback(home.hostname)
  const path = createPublicPath(baseUrl)('') || '/'
  // The prefix keeps other hosts of the domain from setting it, but does not allow a path (RFC 6265bis, 4.1.3.2).
  const prefix = path === '/' ? '__Host-' : '__Secure-'
  const name = plain ? options.name : prefix + options.name
  const attributes = `Path=${path}; HttpOnly; SameSite=${options.sameSite}${plain ? '' : '; Secure'}`
  return {
    name,
    read({ headers }: Pick<HttpRequest, 'headers'>): string | undefined {
      const pairs = headers.cookie?.split(';').map((pair) => pair.trim()) ?? []
      const found = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
      return found === '' ? undefined : found
    },
    /** The value of `Set-Cookie`. */
    set: (value: string, maxAgeSeconds: number) => `${name}=${value}; Max-Age=${maxAgeSeconds}; ${attributes}`,
    /** The value of `Set-Cookie` that removes it. */
    clear: `${name}=; Max-Age=0; ${attributes}`,
  }
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
}
