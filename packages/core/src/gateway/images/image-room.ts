import type { Caller } from '../../runtime/access.ts'
import { FairleadError } from '../../runtime/errors.ts'
import type { OperationRun, ImageUsage } from '../../runtime/run/operation-run.ts'
import type { GatewayStores } from './images.ts'

/** The images that each account may have. */
export interface ImageRoom {
  /**
   * Reserves bytes for images of a call until it has ended. Rejects with `QUOTA_EXCEEDED` if they may not fit. This process
   * never exceeds the limit by its own calls; other processes can by those that are in progress at the same time.
   */
  reserve(call: OperationRun, bytes: number): Promise<void>
  usage(account: string): Promise<ImageUsage>
}

export interface ImageRoomOptions {
  readonly stores: GatewayStores
  /** In bytes. Null: no limit. Default: 1,000,000,000. */
  readonly limit?: number | null | undefined
  /** How long images are kept. Default: 90. */
  readonly days?: number | undefined
}

const defaultLimit = 1_000_000_000

/** The user or project that the images of a caller count toward. Undefined for a program without accounts. */
function imageAccount(caller: Caller): string | undefined {
  return caller.kind === 'account' ? (caller.payer ?? caller.userId) : undefined
}

export function createImageRoom({ stores, limit = defaultLimit, days = 90 }: ImageRoomOptions): ImageRoom {
  /** The bytes that calls in progress have reserved, by account. */
  const reserved = new Map<string, number>()

  function add(account: string, bytes: number): number {
    const sum = (reserved.get(account) ?? 0) + bytes
    if (sum === 0) reserved.delete(account)
    else reserved.set(account, sum)
    return sum
  }

  const stored = (account: string) => stores.read((view) => view.images.bytesOf(account))

  return {
    async reserve(call, bytes) {
      const account = imageAccount(call.caller)
      if (limit === null || account === undefined) return
      // Before the read, so that calls at the same time know of each other.
      const inProgress = add(account, bytes)
      call.hold({ release: () => void add(account, -bytes) })
      const used = await stored(account)
      if (used + inProgress <= limit) return
      throw new FairleadError(
        'QUOTA_EXCEEDED',
        `The images of this account take up ${used} bytes of ${limit}, and requests in progress, this one included, need up to ${inProgress}. Wait until older images are removed, which are kept for ${days} days, or ask the operator for more room.`,
        { facts: { limit: call.spell('imageBytes') } },
      )
    },
    usage: async (account) => ({ bytes: await stored(account), limit }),
  }
}
