// expects: typescript(no-explicit-any)
// reason: Specify a different type
// at: packages/core/src/runtime/loose.ts
export const loose = (value: any) => String(value)
