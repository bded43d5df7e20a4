// expects: fairlead(no-export-all)
// reason: exports names by accident
// at: packages/core/src/runtime/everything.ts
export * from './price.ts'
