import { randomBytes } from 'node:crypto'
import type { AccountsOptions } from '@fairlead/accounts'
import { createSignInTokens, displayPrefix, newApiKeyToken } from '@fairlead/accounts/server'
import { hashToken, type ApiKeyRow, type UserRow, type AccountStores } from '@fairlead/accounts/stores'
import {
  type Credentials,
  createFairlead,
  operations as gatewayOperations,
  type Fairlead,
  type Feature,
  type Log,
  type FairleadOptions,
  type LimitOptions,
  type RateLimitOptions,
  type RoutingOptions,
  type TestingOptions,
} from '@fairlead/core'
import type { FairleadCore } from '@fairlead/core/adapter'
import { createKeyring } from '@fairlead/core/feature'
import { memoryStores, type StoresFor } from '@fairlead/core/stores'
import { createIds } from '@fairlead/core/adapter'
import { ownFeatures } from './own-features.ts'
import { scripted } from './fake-providers.ts'
import { fakeOutbound } from './fake-outbound.ts'
import { plainPasskeys } from './plain-passkeys.ts'
import { plainPasswords } from './plain-passwords.ts'
import { type TestClock, testClock } from './test-clock.ts'
import type { WebhooksOptions } from '@fairlead/webhooks'

/** The features of a test core: Fairlead's, then others. */
type TestFeatures<Others extends readonly Feature[]> = readonly [...ReturnType<typeof ownFeatures>, ...Others]

/** The options of `createFairlead` and of its features, without groups. */
export interface TestCoreOptions<Others extends readonly Feature[] = readonly []>
  extends
    Partial<Omit<FairleadOptions, 'log' | 'features' | 'limits' | 'routing' | 'stores' | 'testing'>>,
    RoutingOptions,
    Pick<LimitOptions, 'budgets' | 'rateLimiter'>,
    Pick<TestingOptions, 'random'>,
    AccountsOptions,
    WebhooksOptions {
  readonly rateLimits?: RateLimitOptions | undefined
  /** Features besides Fairlead's. Default: none. */
  readonly features?: Others
  readonly stores?: NoInfer<StoresFor<TestFeatures<Others>>>
}

export interface TestCore<Others extends readonly Feature[] = readonly []> {
  readonly fairlead: Fairlead<TestFeatures<Others>>
  /** The core of `fairlead`. */
  readonly core: FairleadCore
  readonly clock: TestClock
  readonly stores: StoresFor<TestFeatures<Others>>
  /** The API key of a member of the free tier, with all scopes. */
  readonly caller: Credentials & { readonly token: string }
  /** The id of the caller's key, which is also the name of its quota counter. */
  readonly keyId: string
  /** The log entries so far. */
  readonly logged: readonly Logged[]
  /** Creates a one-time token that begins a session of the user. */
  signInToken(userId: string): string
  /** Adds another user with a key. */
  addCaller(facts?: { readonly user?: Partial<UserRow>; readonly key?: Partial<ApiKeyRow> }): Promise<TestCaller>
}

export interface TestCaller {
  readonly credentials: Credentials & { readonly token: string }
  readonly keyId: string
  readonly userId: string
}

export interface Logged {
  readonly level: 'error' | 'warn'
  readonly message: string
  readonly facts: Readonly<Record<string, unknown>>
}

/**
 * Creates a core with all features of Fairlead and with fakes: a test clock, stores in memory, a provider that says hello,
 * and a caller. By default it does not retry, because the backoff would wait for the test clock.
 *
 * @example
 *   const { core, caller } = await testCore({ providers: [scripted('fake', 'A rainy day')], features: [titles] })
 *   const reply = await core.run(title, caller, { text: 'It rained all day.' })
 */
export async function testCore<const Others extends readonly Feature[] = readonly []>({
  passwords = plainPasswords(),
  passkeys = plainPasskeys(),
  adminSecondFactor,
  signup = true,
  outbound = fakeOutbound(),
  mailer,
  sendInvitation,
  sendAddressMail,
  sessionDays,
  confirmIdentity,
  defaults,
  secretKeys = { current: randomBytes(32).toString('hex') },
  features: others = [] as readonly Feature[] as Others,
  routes,
  aliases,
  timeouts,
  retries = { perTarget: 0 },
  circuit,
  concurrency,
  rateLimits,
  rateLimiter,
  budgets,
  random = () => 0.5,
  ...options
}: TestCoreOptions<Others> = {}): Promise<TestCore<Others>> {
  const clock = testClock()
  const features: TestFeatures<Others> = [
    ...ownFeatures({
      passwords,
      passkeys,
      adminSecondFactor,
      signup,
      outbound,
      mailer,
      sendInvitation,
      sendAddressMail,
      sessionDays,
      confirmIdentity,
      defaults,
    }),
    ...others,
  ]
  const stores = options.stores ?? memoryStores({ clock, features })
  const logged: Logged[] = []
  const fairlead = createFairlead({
    providers: [scripted('calm', 'hello there')],
    ...options,
    features,
    routing: { routes, aliases, timeouts, retries, circuit, concurrency },
    limits: { ...rateLimits, rateLimiter, budgets },
    secretKeys,
    stores,
    log: collecting(logged),
    testing: { clock, random },
  })
  const { core } = fairlead
  const addCaller: TestCore['addCaller'] = ({ user = {}, key = {} } = {}) =>
    addTestCaller(stores, clock, { user, key: { scopes: Object.keys(core.scopes), ...key } })
  const { credentials, keyId } = await addCaller()
  const signInTokens = createSignInTokens(createKeyring(secretKeys))
  const signInToken = (userId: string) => signInTokens.issue(userId, clock.now())
  return { fairlead, core, clock, stores, caller: credentials, keyId, logged, signInToken, addCaller }
}

/** Adds a user with a key to the stores, or a key of a user that they have. */
export async function addTestCaller(
  stores: AccountStores,
  clock: { now(): number },
  { user, key }: { readonly user?: Partial<UserRow>; readonly key?: Partial<ApiKeyRow> } = {},
): Promise<TestCaller> {
  const newId = createIds(clock.now)
  const token = newApiKeyToken()
  const now = clock.now()
  const userId = user?.id ?? newId('usr')
  const keyId = key?.id ?? newId('key')
  await stores.transact(async (tx) => {
    if (!(await tx.users.find(userId))) await tx.users.add({ ...someUser(userId, now), ...user })
    await tx.keys.add({ ...someKey(keyId, userId, token, now), ...key }, hashToken(token))
  })
  return { credentials: { kind: 'bearer', token }, keyId, userId }
}

function someUser(id: string, now: number): UserRow {
  return {
    id,
    email: `${id}@example.com`,
    emailVerified: true,
    name: 'Ada',
    role: 'member',
    tier: 'free',
    quotaLimit: null,
    quotaScope: 'key',
    budgetUsd: null,
    budgetPeriod: null,
    allowedNetworks: null,
    status: 'active',
    adminByIdentity: false,
    models: null,
    createdAt: now,
    updatedAt: now,
    version: 1,
  }
}

function someKey(id: string, userId: string, token: string, now: number): ApiKeyRow {
  return {
    id,
    userId,
    name: 'test',
    prefix: displayPrefix(token),
    scopes: allScopes(),
    createdBy: null,
    createdAt: now,
    lastUsedAt: now,
    expiresAt: null,
    revokedAt: null,
    limits: null,
    version: 1,
  }
}

/** The scopes of the gateway's operations, and of Fairlead's features. */
function allScopes(): readonly string[] {
  const scopes = Object.values(gatewayOperations).flatMap(({ access }) => ('scope' in access ? [access.scope] : []))
  return [...new Set([...scopes, ...ownFeatures().flatMap((feature) => Object.keys(feature.scopes ?? {}))])]
}

function collecting(logged: Logged[]): Log {
  return {
    error: (facts, message) => void logged.push({ level: 'error', facts, message }),
    warn: (facts, message) => void logged.push({ level: 'warn', facts, message }),
  }
}
