// expects: import(no-cycle)
// reason: Dependency cycle detected
// at: packages/core/src/runtime/left.ts
import type { Right } from './right.ts'
export type Left = Right | 'left'
// at: packages/core/src/runtime/right.ts
import type { Left } from './left.ts'
export type Right = { left: Left }
