import { toApiError } from '../api/api-error.ts'
import { ErrorPanel } from './error-panel.tsx'

export interface FormErrorProps {
  /** The error of sending the form. */
  readonly error: unknown
  /** The fields on the wire whose issues the form shows beside them. */
  readonly shown: readonly string[]
}

/** The failure of a form, unless all of its issues are shown beside their fields. */
export function FormError({ error, shown }: FormErrorProps) {
  if (!error) return null
  const fields = [...toApiError(error).fields.keys()].map((field) => field.split(/[.[]/, 1)[0])
  const isShown = fields.length > 0 && fields.every((field) => field !== undefined && shown.includes(field))
  return isShown ? null : <ErrorPanel error={error} />
}
