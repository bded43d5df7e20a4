import { toApiError } from '../../api/api-error.ts'
import { Field, TextField } from '../../components/field.tsx'
import { FormError } from '../../components/form-error.tsx'
import { Select } from '../../components/select.tsx'
import { lifetimes, type KeyValues, type Lifetime } from './key-values.ts'
import { LimitFields, limitNames } from './limit-fields.tsx'
import { ScopeFields } from './scope-fields.tsx'

export interface KeyFormProps {
  readonly values: KeyValues
  onChange(values: KeyValues): void
  /** The error of sending the form. */
  readonly error: unknown
  /** The choice that keeps the expiry of a key that exists. */
  readonly keptLifetime?: { readonly value: 'keep'; readonly label: string } | undefined
}

const shown = ['name', 'scopes', 'expires_at', ...limitNames]

/** The fields of a key. */
export function KeyForm({ values, onChange, error, keptLifetime }: KeyFormProps) {
  const set = (changes: Partial<KeyValues>) => onChange({ ...values, ...changes })
  const errors = error ? toApiError(error).fields : undefined
  return (
    <>
      <FormError error={error} shown={shown} />
      <TextField
        label="Name"
        hint="Where the key is used, such as the name of a program."
        required
        maxLength={100}
        value={values.name}
        error={errors?.get('name')}
        onChange={({ target }) => set({ name: target.value })}
      />
      <ScopeFields granted={values.scopes} error={errors?.get('scopes')} onChange={(scopes) => set({ scopes })} />
      <Field label="Expires" error={errors?.get('expires_at')}>
        {({ id }) => (
          <Select<Lifetime>
            id={id}
            label="Expires"
            wide
            value={values.lifetime}
            options={[...(keptLifetime ? [keptLifetime] : []), ...lifetimes]}
            onChange={(lifetime) => set({ lifetime })}
          />
        )}
      </Field>
      <LimitFields values={values} errors={errors} onChange={set} />
    </>
  )
}
