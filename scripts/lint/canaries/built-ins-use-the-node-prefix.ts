// expects: unicorn(prefer-node-protocol)
// reason: node:path
// at: packages/storage/src/place.ts
export { join } from 'path'
