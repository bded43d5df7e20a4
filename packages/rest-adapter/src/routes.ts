import type { Operation, RestRoute } from '@fairlead/core'

/** Every path works under each of these. */
export const prefixes = ['', '/v1', '/api/v1'] as const
export type Prefix = (typeof prefixes)[number]
/** The prefix of the quick-start form. */
export const quickStartPrefix: Prefix = '/v1'

/** An operation, and where REST offers it. */
export interface Route extends RestRoute, RouteOverride {
  readonly operation: Operation
}

/** The behavior of REST for an operation beyond its declaration. */
export interface RouteOverride {
  /** Whether responses under `/v1` repeat the fields of the result at the top level. Default: false. */
  readonly quickStart?: boolean
  /** Whether responses under `/v1` also have the fields of OpenAI's models, for its clients. Default: false. */
  readonly openaiFields?: boolean
  /** A prefix under which another API has the path. Default: the route is under all prefixes. */
  readonly unlessPrefix?: Prefix
  /** For `Location`: the path of the created record, and the field of the result that holds it. Default: this path, the whole result. */
  readonly creates?: { readonly path: `/${string}`; readonly field: string }
  /** The effect on the session whose refresh token may be in a cookie. Default: none. */
  readonly session?: 'begins' | 'continues' | 'ends'
  /** Whether it takes the secret of the browser from a cookie. Default: false. */
  readonly browser?: boolean
}

const models = { quickStart: true, openaiFields: true } as const

/** By name and path, because a program's own operation may be named like one of a feature that the program does not use. */
const overrides: Partial<Record<string, RouteOverride>> = {
  'generate /generate': { quickStart: true },
  'generateImage /generate/image': { quickStart: true },
  'analyze /analyze': { quickStart: true },
  'models /models': models,
  'model /models/{id}': models,
  'embed /embeddings': { unlessPrefix: '/v1' },
  'signup /auth/signup': { session: 'begins', creates: { path: '/users', field: 'user' } },
  'login /auth/login': { session: 'begins' },
  'loginWithPasskey /auth/passkeys/login': { session: 'begins' },
  'exchangeSignInToken /auth/exchange': { session: 'begins', browser: true },
  'refresh /auth/refresh': { session: 'continues' },
  'logout /auth/logout': { session: 'ends' },
}

/** The routes that operations declare. */
export function listRoutes(operations: readonly Operation[]): readonly Route[] {
  return operations.flatMap((operation) =>
    operation.rest ? [{ ...operation.rest, ...findOverride(operation), operation }] : [],
  )
}

function findOverride({ name, rest }: Operation): RouteOverride | undefined {
  return overrides[`${name} ${rest?.path}`]
}

/** Whether a stream continues after the event that `Last-Event-ID` names. */
export function isResumable({ kind, input }: Operation): boolean {
  return kind === 'subscription' && 'after' in input.shape
}
