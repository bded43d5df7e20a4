// expects: eslint(no-console)
// reason: Unexpected console statement
// at: packages/core/src/runtime/chatter.ts
console.log('here')
