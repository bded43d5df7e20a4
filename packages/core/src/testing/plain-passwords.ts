import type { PasswordHasher } from '../accounts/passwords.ts'

const mark = 'hash of '

/** Passwords that are hashed in no time and no secrecy. It remembers what was compared with what. */
export function plainPasswords(): PasswordHasher & { readonly compared: (string | undefined)[] } {
  const compared: (string | undefined)[] = []
  return {
    compared,
    hash: async (password) => mark + password,
    async verify(password, hash) {
      compared.push(hash)
      return hash === mark + password
    },
    isOutdated: (hash) => !hash.startsWith(mark),
  }
}
