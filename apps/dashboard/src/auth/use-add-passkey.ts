import { useMutation } from '@tanstack/react-query'
import { client, readData } from '../api/client.ts'
import { createPasskey } from './passkey.ts'

/** Adds a passkey to the account of the user. */
export function useAddPasskey(onAdded: () => void) {
  return useMutation({
    async mutationFn({ password, name }: { readonly password: string; readonly name?: string | undefined }) {
      const begun = await readData(
        client.POST('/auth/passkeys/options', { body: { current_password: password === '' ? undefined : password } }),
      )
      const response = await createPasskey(begun.options)
      return readData(client.POST('/auth/passkeys', { body: { token: begun.token, response, name } }))
    },
    onSuccess: onAdded,
  })
}
