// expects: fairlead(no-export-all)
// reason: publishes what nobody chose
// at: packages/core/src/runtime/everything.ts
export * from './price.ts'
