/** For the tests of this repository. Not published. */
export { announceHead } from './audit/announce-head.ts'
export { createAuditSink } from './audit/chain.ts'
export { hashWithoutLink } from './audit/entry-hash.ts'
export { createKey } from './keys/keys.ts'
