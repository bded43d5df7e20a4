/** Password hashing with argon2id and limited concurrency. */
export { argon2Passwords } from './argon2-passwords.ts'
export type { Argon2PasswordsOptions } from './argon2-passwords.ts'
