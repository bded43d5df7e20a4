import { TextField } from './field.tsx'

export interface CurrentPasswordFieldProps {
  /** Of the user, for password managers, which keep the password for this account. */
  readonly email: string
  readonly value: string
  readonly error: string | undefined
  readonly autoFocus?: boolean
  onChange(value: string): void
}

/** The password that confirms a change of how the user logs in. */
export function CurrentPasswordField({ email, onChange, ...input }: CurrentPasswordFieldProps) {
  return (
    <>
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <TextField
        {...input}
        label="Current password"
        type="password"
        autoComplete="current-password"
        hint="Leave it empty if you have none yet, because you logged in with a link."
        onChange={(event) => onChange(event.target.value)}
      />
    </>
  )
}
