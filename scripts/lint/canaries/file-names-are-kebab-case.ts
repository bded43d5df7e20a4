// expects: unicorn(filename-case)
// reason: kebab-case
// at: packages/core/src/runtime/apiKey.ts
export const apiKey = 1
