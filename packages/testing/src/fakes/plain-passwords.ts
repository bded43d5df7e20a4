import type { PasswordHasher } from '@fairlead/accounts'

const mark = 'hash of '

/** A password hasher for tests, fast and insecure. It records the hashes that it verified against. */
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
