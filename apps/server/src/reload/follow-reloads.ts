import type { FeatureContext } from '@fairlead/core'
import type { Transaction } from '@fairlead/storage'
import type { Reload } from './create-reload.ts'

/** When all nodes were last asked to reload, in milliseconds since the epoch. */
const setting = 'reload_requested_at'

/** How often a node looks, in milliseconds. Rarely, because every idle node does. */
export const followWithinMs = 60_000

/**
 * Asks all nodes on the same database to reload. Returns the time of the request, which is later than `at` if another one
 * was made meanwhile: this node may have read its configuration before that, and reloads again.
 *
 * @param at when this node began to reload, in milliseconds since the epoch
 */
export async function requestFromAll(tx: Pick<Transaction, 'lock' | 'settings'>, at: number): Promise<number> {
  await tx.lock(setting)
  const last = Number((await tx.settings.get(setting)) ?? 0)
  const time = Math.max(at, last + 1)
  await tx.settings.set(setting, String(time))
  return time
}

export interface FollowOptions extends Pick<FeatureContext, 'stores' | 'clock'> {
  readonly reload: Reload
  /** Called when this node uses the configuration that it was asked to load then. 0: no node was ever asked. */
  onReloaded(at: number): void
}

/** Reloads when another node was asked to reload all. Runs in one process of a node. */
export function followReloads({ stores, clock, reload, onReloaded }: FollowOptions) {
  /** When the configuration of the start may have been read. */
  const startedAt = clock.now() - process.uptime() * 1_000
  let seen: number | undefined
  let cancel = clock.schedule(0, next)

  function next(): void {
    cancel = clock.schedule(followWithinMs, next)
    // The stores report their outages themselves, and a reload its failure.
    void look().catch(() => {})
  }

  async function look(): Promise<void> {
    const at = Number((await stores.read(({ settings }) => settings.get(setting))) ?? 0)
    if (at === seen) return
    // A worker before this one may have ended before it looked.
    const isOlder = seen === undefined && at < startedAt - 2 * followWithinMs
    seen = at
    if (!isOlder) await reload({ trigger: 'another node', at })
    onReloaded(at)
  }

  return { stop: async () => cancel() }
}
