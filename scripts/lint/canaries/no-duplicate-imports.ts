// expects: import(no-duplicates)
// reason: is imported more than once
// at: packages/core/src/runtime/twice.ts
import { clip } from './names.ts'
import { nearest } from './names.ts'
export const both = [clip, nearest]
