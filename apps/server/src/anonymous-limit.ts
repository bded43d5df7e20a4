import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { type AccessLogRecord, type Clock, read, FairleadError, systemClock } from '@fairlead/core'
import { bearerCredentials, type FairleadCore, readNetwork } from '@fairlead/core/adapter'
import { memoryRateLimiter, type RateReading } from '@fairlead/core/stores'
import { BlockedKeys } from '@fairlead/core/server'
import type { Admit } from '@fairlead/rest-adapter'
import type { Logger } from 'pino'
import * as z from 'zod'
import { monitoringRoutes } from './logging.ts'
import { graphqlPath } from './graphql.ts'

export interface AnonymousLimitOptions {
  /** As many requests at once; the limit then recovers continuously. */
  readonly requestsPerMinute: number
  readonly trustedProxies: number
  readonly logger: Pick<Logger, 'warn'>
  /** Default: the system's. */
  readonly clock?: Clock | undefined
}

const windowMs = 60_000
/** As many requests does one over GraphQL count, because it may read the whole schema, which takes 30 ms. */
const graphqlWeight = 20
/** Maximum number of networks in memory. */
const maxNetworks = 10_000

/** Used only to verify a credential. */
const verifyCredential = read({
  name: 'verifyCredential',
  summary: 'Verifies a credential.',
  access: { scope: 'models' },
  metered: false,
  input: z.strictObject({}),
  output: z.strictObject({}),
  run: async () => ({}),
})

export type AnonymousLimit = ReturnType<typeof anonymousLimit>

/** Limits the requests without a valid credential, per network. It observes requests to count those with an invalid one. */
export function anonymousLimit({
  requestsPerMinute,
  trustedProxies,
  logger,
  clock = systemClock,
}: AnonymousLimitOptions) {
  const limiter = memoryRateLimiter({ clock, maxKeys: maxNetworks })
  const exhausted = new BlockedKeys(clock)
  let isProxyKnown = trustedProxies > 0

  /** A request of weight n takes as much of the window as n requests. */
  function take(network: string, weight: number): RateReading {
    const limit = { limit: Math.max(1, requestsPerMinute / weight), windowMs }
    const reading = limiter.take(network, limit)
    if (!reading.granted) exhausted.block(network, reading.resetMs)
    return reading
  }

  async function requireValid(core: RunsOperations, authorization: string, waitMs: number): Promise<void> {
    const reply = await core.run(verifyCredential, bearerCredentials(authorization), {})
    if (!reply.success && reply.error.code === 'UNAUTHORIZED') throw tooMany(waitMs)
  }

  function warnOfProxy(): void {
    isProxyKnown = true
    logger.warn(
      'Requests have X-Forwarded-For, but FAIRLEAD_TRUST_PROXY is 0: clients behind a proxy share its address, and the limits for it. Set it to the number of proxies.',
    )
  }

  return {
    /**
     * Counts requests without a credential, before anything costly is done for them. Throws or rejects with
     * `RATE_LIMIT_EXCEEDED`. A valid credential always passes.
     */
    admitTo(core: RunsOperations, { overGraphql = false } = {}): Admit {
      const weight = overGraphql ? graphqlWeight : 1
      return (address, headers, authorization) => {
        if (!isProxyKnown && headers['x-forwarded-for'] !== undefined) warnOfProxy()
        if (authorization === undefined) {
          const { granted, resetMs } = take(readNetwork(address), weight)
          if (!granted) throw tooMany(resetMs)
          return undefined
        }
        if (exhausted.isEmpty) return undefined
        const waitMs = exhausted.waitOf(readNetwork(address), windowMs)
        return waitMs > 0 ? requireValid(core, authorization, waitMs) : undefined
      }
    },
    /** Counts a request with a credential that turned out to belong to nobody. */
    requestEnded({ address, userId, route }: AccessLogRecord, response?: ServerResponse) {
      if (userId !== undefined || !response || monitoringRoutes.has(route)) return
      if (hasCredential(response.req.headers)) take(readNetwork(address), route === graphqlPath ? graphqlWeight : 1)
    },
  }
}

type RunsOperations = Pick<FairleadCore, 'run'>

function hasCredential(headers: IncomingHttpHeaders): boolean {
  return headers.authorization !== undefined || headers['x-api-key'] !== undefined
}

function tooMany(waitMs: number): FairleadError {
  return new FairleadError(
    'RATE_LIMIT_EXCEEDED',
    'Too many requests without a valid API key from this network. Send an API key, or try again later.',
    { retryAfterMs: Math.max(1_000, waitMs) },
  )
}
