import type { Credentials } from './caller.ts'

const bearer = /^Bearer +(\S+) *$/i

/** The credentials in an `Authorization` header (RFC 6750, 2.1); anything but one bearer token counts as none. */
export function bearerCredentials(header: string | null | undefined): Credentials {
  const token = bearerToken(header)
  return token === undefined ? { kind: 'none' } : { kind: 'bearer', token }
}

function bearerToken(header: string | null | undefined): string | undefined {
  return bearer.exec(header ?? '')?.[1]
}

/** Who may call an adapter over a core without `accounts()`. One of the two is required there, and has no effect elsewhere. */
export interface AdapterAccess {
  /** Whether a caller with this bearer token may call. Default: see `anonymous`. */
  readonly authenticate?: (token: string | undefined) => boolean | Promise<boolean>
  /** Whether anyone may call. Default: false. */
  readonly anonymous?: boolean
}

/** Reads the credentials of a request from its `Authorization` header. */
export type ReadCredentials = (authorization: string | null | undefined) => Credentials | Promise<Credentials>

/** Throws a `TypeError` where nothing says who may call. */
export function credentialsReader(
  { hasAccounts }: { readonly hasAccounts: boolean },
  { authenticate, anonymous = false }: AdapterAccess,
): ReadCredentials {
  if (hasAccounts) return bearerCredentials
  const member: Credentials = { kind: 'embedded', role: 'member' }
  if (authenticate) {
    return async (authorization) => ((await authenticate(bearerToken(authorization))) ? member : { kind: 'none' })
  }
  if (anonymous) return () => member
  throw new TypeError(
    'This core has no accounts. Add accounts() to the features of createFairlead, or give the adapter `authenticate` or `anonymous: true`.',
  )
}
