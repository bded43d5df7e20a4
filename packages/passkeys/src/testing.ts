/** For tests of other packages: a browser with an authenticator. Not published. */
export { Authenticator } from './testing/authenticator.ts'
export type { Faults } from './testing/authenticator.ts'
