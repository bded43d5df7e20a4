import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { readReason } from '../api/api-error.ts'
import { readData, publicClient } from '../api/client.ts'
import { session } from '../session/browser-session.ts'
import { askForPasskey } from './passkey.ts'

interface Password {
  readonly email: string
  readonly password: string
}

/** Logs in with a password, and with a passkey after it if the account has one; or with a passkey alone. */
export function useLogIn() {
  /** The token for the passkey, once the password was correct. */
  const [factor, setFactor] = useState<string>()
  const login = useMutation({
    async mutationFn(entered: Password | undefined) {
      if (!entered) return withPasskey(factor)
      const { data, error } = await publicClient.POST('/auth/login', { body: { ...entered, session: 'cookie' } })
      if (data) return data.data
      if (readReason(error) !== 'second_factor_required') throw error
      const { token } = error.error.details
      setFactor(token)
      return withPasskey(token)
    },
    onSuccess: (signedIn) => session.adopt(signedIn),
  })
  return {
    error: login.error,
    isPending: login.isPending,
    needsPasskey: factor !== undefined,
    withPassword: (entered: Password) => login.mutate(entered),
    withPasskey: () => login.mutate(undefined),
    /** Asks for the password again. */
    startOver() {
      setFactor(undefined)
      login.reset()
    },
  }
}

async function withPasskey(token: string | undefined) {
  const begun = await readData(publicClient.POST('/auth/passkeys/login/options', { body: { token } }))
  const response = await askForPasskey(begun.options)
  const body = { token: begun.token, response, session: 'cookie' } as const
  return readData(publicClient.POST('/auth/passkeys/login', { body }))
}
