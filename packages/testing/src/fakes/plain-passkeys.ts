import type { PasskeyCeremonies } from '@fairlead/accounts'

/**
 * Ceremonies for tests, fast and insecure: a browser answers with the challenge, the id of its passkey, and how often it was
 * used; and with `isVerified` if it has verified the user.
 */
export function plainPasskeys(): PasskeyCeremonies {
  return {
    registrationOptions: async ({ challenge, user, known }) => ({
      challenge,
      user: { name: user.email, displayName: user.name },
      excludeCredentials: known.map(({ credentialId: id }) => ({ id })),
    }),
    checkRegistration: async ({ id, challenge, counter = 0 }, expected) =>
      challenge === expected
        ? {
            credentialId: String(id),
            publicKey: `key of ${String(id)}`,
            counter: Number(counter),
            transports: ['internal'],
            isBackedUp: false,
          }
        : undefined,
    signInOptions: async ({ challenge, known }) => ({
      challenge,
      userVerification: known ? 'preferred' : 'required',
      ...(known && { allowCredentials: known.map(({ credentialId: id }) => ({ id })) }),
    }),
    async checkSignIn({ challenge, counter, isVerified = false }, expected) {
      const isAccepted = challenge === expected.challenge && (isVerified === true || !expected.verifiesUser)
      return isAccepted && Number(counter) > expected.passkey.counter
        ? { counter: Number(counter), isBackedUp: false }
        : undefined
    },
  }
}
