// expects: fairlead(telling-file-names)
// reason: `common` hides a better name
// at: packages/rest-adapter/src/common/header.ts
export const header = 1
