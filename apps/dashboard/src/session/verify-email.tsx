import { useEffect } from 'react'
import { api } from '../api/client.ts'
import { toastError, toastSuccess } from '../components/toast.tsx'
import { keptToken } from '../kept-token.ts'
import { session } from './browser-session.ts'

/** The token of a link that verifies an email address. */
export const emailToken = keptToken('verify-email')

/** Verifies the email address of a user who came with the link that was mailed to it. */
export function VerifyEmail() {
  const { mutate } = api.useMutation('post', '/auth/verify-email', {
    onSuccess({ data }) {
      session.update(data)
      toastSuccess(`${data.email} is verified`)
    },
    onError: (error) => toastError('The email address could not be verified', error),
  })
  useEffect(() => {
    const token = emailToken.get()
    if (token === null) return
    emailToken.forget()
    mutate({ body: { token } })
  }, [mutate])
  return null
}
