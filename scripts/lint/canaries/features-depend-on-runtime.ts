// expects: eslint(no-restricted-imports)
// reason: restricted from being used by a pattern
// at: packages/core/src/runtime/upward.ts
import type { User } from '../accounts/users/user.ts'
export type Known = User
// at: packages/core/src/gateway/routing/sideways.ts
import type { ApiKey } from '../../accounts/keys/key.ts'
export type Known = ApiKey
// at: packages/accounts/src/sideways.ts
import type { Shipment } from '../shipments/shipment.ts'
export type Known = Shipment
// at: packages/shipments/src/sideways.ts
import type { Webhook } from '../webhooks/webhook-store.ts'
export type Known = Webhook
// at: packages/webhooks/src/upward.ts
import type { FairleadCore } from '../fairlead/create-fairlead.ts'
export type Known = FairleadCore
