import { type Operation, operations } from '@fairlead/core'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface Route {
  readonly method: Method
  /** Without its prefix; `{name}` is a segment that becomes the input's field of that name. */
  readonly path: `/${string}`
  readonly operation: Operation
  /** Under `/v1`, the quick-start form, the result's own fields stand at the top level too. */
  readonly quickStart?: boolean
  /** Where a created record has its path, and which field of the result it is. Default: this path, and all of the result. */
  readonly creates?: { readonly path: `/${string}`; readonly field: string }
  /** The largest body, in bytes, where the service sets no limit of its own. Default: 1 MiB. */
  readonly maxBodyBytes?: number
  /** What the operation does to a session, whose refresh token may stand in a cookie. Default: nothing. */
  readonly session?: 'begins' | 'goes on' | 'ends'
}

const mebibyte = 1_048_576
/** For conversations with images in them. */
const largeBodyBytes = 20 * mebibyte

/** The largest body of a route that says nothing of it. */
export const defaultMaxBodyBytes = mebibyte

const signedUp = { path: '/users', field: 'user' } as const

/** Every operation that REST offers. Each answers under all prefixes. */
export const routes: readonly Route[] = [
  {
    method: 'POST',
    path: '/generate',
    operation: operations.generate,
    quickStart: true,
    maxBodyBytes: largeBodyBytes,
  },
  { method: 'POST', path: '/generate/image', operation: operations.generateImage, quickStart: true },
  { method: 'POST', path: '/analyze', operation: operations.analyze, quickStart: true },
  { method: 'GET', path: '/models', operation: operations.models },
  { method: 'GET', path: '/models/{id}', operation: operations.model },
  { method: 'GET', path: '/providers', operation: operations.providers },
  { method: 'GET', path: '/shipments', operation: operations.shipments },
  { method: 'POST', path: '/shipments', operation: operations.createShipment },
  { method: 'GET', path: '/shipments/{id}', operation: operations.shipment },
  { method: 'PUT', path: '/shipments/{id}', operation: operations.updateShipment },
  { method: 'DELETE', path: '/shipments/{id}', operation: operations.deleteShipment },
  { method: 'GET', path: '/users', operation: operations.users },
  { method: 'POST', path: '/users', operation: operations.createUser },
  { method: 'GET', path: '/users/{id}', operation: operations.user },
  { method: 'PUT', path: '/users/{id}', operation: operations.updateUser },
  { method: 'DELETE', path: '/users/{id}', operation: operations.deleteUser },
  { method: 'POST', path: '/auth/signup', operation: operations.signup, session: 'begins', creates: signedUp },
  { method: 'POST', path: '/auth/login', operation: operations.login, session: 'begins' },
  { method: 'POST', path: '/auth/refresh', operation: operations.refresh, session: 'goes on' },
  { method: 'POST', path: '/auth/logout', operation: operations.logout, session: 'ends' },
  { method: 'GET', path: '/sessions', operation: operations.sessions },
  { method: 'DELETE', path: '/sessions/{id}', operation: operations.endSession },
  { method: 'GET', path: '/api-keys', operation: operations.apiKeys },
  { method: 'POST', path: '/api-keys', operation: operations.createApiKey },
  { method: 'GET', path: '/api-keys/{id}', operation: operations.apiKey },
  { method: 'DELETE', path: '/api-keys/{id}', operation: operations.revokeApiKey },
  { method: 'POST', path: '/api-keys/{id}/rotate', operation: operations.rotateApiKey },
  { method: 'GET', path: '/usage', operation: operations.usage },
  { method: 'GET', path: '/usage/timeseries', operation: operations.usageTimeseries },
]

/** The three forms in which the interface document writes paths. */
export const prefixes = ['', '/v1', '/api/v1'] as const
export type Prefix = (typeof prefixes)[number]
/** The prefix of the quick-start form. */
export const quickStartPrefix: Prefix = '/v1'
