/** A mail about the email address of a user. */
export type AddressMail = {
  /** The same in every attempt. */
  readonly id: string
  readonly email: string
} & (
  | {
      readonly kind: 'verification'
      /** For `verifyEmail`, in a session of the user. */
      readonly token: string
    }
  /** To the address that the user had before. */
  | { readonly kind: 'changed' }
)
