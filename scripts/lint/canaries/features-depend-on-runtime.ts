// expects: eslint(no-restricted-imports)
// reason: restricted from being used by a pattern
// at: packages/core/src/runtime/upward.ts
import type { User } from '../accounts/user.ts'
export type Known = User
// at: packages/core/src/gateway/routing/sideways.ts
import type { ApiKey } from '../../accounts/key.ts'
export type Known = ApiKey
// at: packages/core/src/accounts/sideways.ts
import type { Shipment } from '../shipments/shipment.ts'
export type Known = Shipment
