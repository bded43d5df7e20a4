import { type OperationRun, FairleadError } from '@fairlead/core'
import { invalidRequest } from '@fairlead/core/adapter'
import { isWithin, parseNetworks } from '@fairlead/core/feature'
import type { UserRow } from '../users/user.ts'

type Networks = Pick<UserRow, 'allowedNetworks'>

/** Throws `FORBIDDEN` if a session of the user may not begin, or go on, at the address of the call. */
export function requireOwnNetwork(user: Networks, { address }: Pick<OperationRun, 'address'>): void {
  if (mayUseFrom(user, address)) return
  throw new FairleadError(
    'FORBIDDEN',
    `This account may not be used from ${address}, which is not in its allowed networks.`,
  )
}

/** Throws `INVALID_REQUEST` if a session would end itself, because its address is not in the networks. */
export function requireKeptNetwork(user: Networks, { address }: Pick<OperationRun, 'address'>): void {
  if (mayUseFrom(user, address)) return
  throw invalidRequest({
    field: 'allowedNetworks',
    issue: `must include ${address}, from which you set it: your session would end`,
  })
}

function mayUseFrom({ allowedNetworks }: Networks, address: string): boolean {
  if (allowedNetworks === null) return true
  return isWithin([parseNetworks(allowedNetworks)], address)
}
