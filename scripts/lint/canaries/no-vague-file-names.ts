// expects: fairlead(telling-file-names)
// reason: `string-utils` hides a better name
// at: packages/core/src/runtime/string-utils.ts
export const trimmed = 1
