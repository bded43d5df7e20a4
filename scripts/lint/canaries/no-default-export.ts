// expects: import(no-default-export)
// reason: Prefer named exports
// at: packages/core/src/runtime/default-value.ts
export default 1
