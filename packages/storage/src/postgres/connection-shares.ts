import { AsyncLocalStorage } from 'node:async_hooks'
import { FairleadError, type Log } from '@fairlead/core'
import { createBulkhead } from '@fairlead/core/stores'

/** Shares the connections of a pool between accounts. A full pool says nothing about the server. */
export interface ConnectionShares {
  /** Runs work whose connections count toward the share of an account. The service itself is undefined, and may hold all. */
  runAs<Result>(account: string | undefined, work: () => Result): Result
  /**
   * Waits until the account of the running work may have one more connection, and returns the account. Rejects with
   * `SERVICE_UNAVAILABLE` after the timeout, and if too many calls wait.
   */
  acquire(): Promise<string | undefined>
  release(account: string | undefined): void
  /** Connections in use, and calls that wait for one. */
  counts(): { readonly inUse: number; readonly waiting: number }
}

export interface ConnectionSharesOptions {
  /** The number of connections. */
  readonly size: number
  readonly timeoutMs: number
  /** How many calls may wait. */
  readonly maxWaiting: number
  readonly log?: Pick<Log, 'warn'> | undefined
}

/** Of the connections that no other account holds: with ten connections, one account holds at most five. */
const accountShare = 0.5
const logEveryMs = 10_000
const retryAfterMs = 1_000

export function createConnectionShares({
  size,
  timeoutMs,
  maxWaiting,
  log,
}: ConnectionSharesOptions): ConnectionShares {
  const accounts = new AsyncLocalStorage<string | undefined>()
  const connections = createBulkhead({ slots: size, queueSize: maxWaiting, accountShare })
  let loggedAt = -Infinity

  function busy(): FairleadError {
    const now = performance.now()
    if (now - loggedAt >= logEveryMs) {
      loggedAt = now
      const { inFlight, queued } = connections
      log?.warn({ inUse: inFlight, waiting: queued }, 'no database connection was free in time, rejected a request')
    }
    return new FairleadError('SERVICE_UNAVAILABLE', 'The database is too busy right now.', { retryAfterMs })
  }

  function wait(account: string | undefined): Promise<string | undefined> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        stopWaiting()
        reject(busy())
      }, timeoutMs)
      const stopWaiting = connections.enqueue(account, (acquired) => {
        clearTimeout(timer)
        if (acquired) resolve(account)
        else reject(busy())
      })
    })
  }

  return {
    runAs: (account, work) => accounts.run(account, work),
    async acquire() {
      const account = accounts.getStore()
      return connections.tryAcquire(account) ? account : wait(account)
    },
    release: (account) => connections.release(account),
    counts: () => ({ inUse: connections.inFlight, waiting: connections.queued }),
  }
}
