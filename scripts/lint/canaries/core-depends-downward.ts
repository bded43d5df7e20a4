// expects: eslint(no-restricted-imports)
// reason: restricted from being used by a pattern
// at: packages/core/src/runtime/upward.ts
import type { Model } from '../gateway/model.ts'
export type Known = Model
// at: packages/core/src/gateway/routing/upward.ts
import type { FairleadCore } from '../../fairlead/fairlead-core.ts'
export type Known = FairleadCore
