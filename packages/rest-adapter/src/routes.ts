import { type Operation, operations as own, type RestRoute } from '@fairlead/core'

/** Every path works under each of these. */
export const prefixes = ['', '/v1', '/api/v1'] as const
export type Prefix = (typeof prefixes)[number]
/** The prefix of the quick-start form. */
export const quickStartPrefix: Prefix = '/v1'

/** An operation, and where REST offers it. */
export interface Route extends RestRoute, RouteOverride {
  readonly operation: Operation
}

/** What REST does for an operation beyond its declaration. */
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

/** By the names of Fairlead's own operations. */
const overrides: { readonly [Name in keyof typeof own]?: RouteOverride } = {
  generate: { quickStart: true },
  generateImage: { quickStart: true },
  analyze: { quickStart: true },
  models,
  model: models,
  embed: { unlessPrefix: '/v1' },
  signup: { session: 'begins', creates: { path: '/users', field: 'user' } },
  login: { session: 'begins' },
  loginWithPasskey: { session: 'begins' },
  exchangeSignInToken: { session: 'begins', browser: true },
  refresh: { session: 'continues' },
  logout: { session: 'ends' },
}

/** The routes that operations declare. */
export function routesOf(operations: readonly Operation[]): readonly Route[] {
  return operations.flatMap((operation) =>
    operation.rest ? [{ ...operation.rest, ...overrideOf(operation), operation }] : [],
  )
}

/** The path counts too: a program's own operation may be named like one of a feature that the program does not use. */
function overrideOf({ name, rest }: Operation): RouteOverride | undefined {
  const declared: Partial<Record<string, Operation>> = own
  return rest?.path === declared[name]?.rest?.path ? byName[name] : undefined
}

const byName: Partial<Record<string, RouteOverride>> = overrides

/** Whether a stream continues after the event that `Last-Event-ID` names. */
export function isResumable({ kind, input }: Operation): boolean {
  return kind === 'subscription' && 'after' in input.shape
}
