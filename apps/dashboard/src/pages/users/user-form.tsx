import { fieldIssue } from '../../api/api-error.ts'
import { Checkbox } from '../../components/checkbox.tsx'
import { Field, TextField } from '../../components/field.tsx'
import { Select } from '../../components/select.tsx'
import { formatLabel } from '../../format.ts'
import { readList } from '../../read-list.ts'
import { QuotaFields, TierField } from '../../quotas/quota-fields.tsx'
import { type QuotaValues, toQuotaBody } from '../../quotas/quota-values.ts'
import { roles, type User } from './user.ts'

/** The values that an admin sets. */
export interface UserValues extends Pick<User, 'name' | 'email' | 'role'>, QuotaValues<User['quota_scope']> {
  readonly emailVerified: boolean
  /** Separated by commas; empty means all. */
  readonly networks: string
  /** Separated by commas; empty means all. */
  readonly modelNames: string
}

/** The values as the API takes them. */
export function toUserBody({ networks, modelNames, emailVerified, ...values }: UserValues) {
  const lists = { allowed_networks: readList(networks), models: readList(modelNames) }
  return { ...toQuotaBody(values), ...lists, email_verified: emailVerified }
}

export interface UserFormProps {
  readonly values: UserValues
  onChange(values: UserValues): void
  /** Messages by the names of the fields on the wire. */
  readonly errors: ReadonlyMap<string, string> | undefined
}

/** The fields of a user that an admin sets. */
export function UserForm({ values, onChange, errors }: UserFormProps) {
  const set = (changes: Partial<UserValues>) => onChange({ ...values, ...changes })
  return (
    <>
      <TextField
        label="Name"
        required
        maxLength={100}
        value={values.name}
        error={errors?.get('name')}
        onChange={({ target }) => set({ name: target.value })}
      />
      <TextField
        label="Email"
        type="email"
        required
        autoComplete="off"
        value={values.email}
        error={errors?.get('email')}
        onChange={({ target }) => set({ email: target.value })}
      />
      <Checkbox
        label="Verified"
        hint="The email address is known to be the user’s, so that projects can add them by it."
        checked={values.emailVerified}
        onChange={(emailVerified) => set({ emailVerified })}
      />
      <div className="grid grid-cols-2 gap-4">
        <Field label="Role" error={errors?.get('role')}>
          {({ id }) => (
            <Select
              id={id}
              label="Role"
              wide
              value={values.role}
              options={roles.map((value) => ({ value, label: formatLabel(value) }))}
              onChange={(role) => set({ role })}
            />
          )}
        </Field>
        <TierField values={values} onChange={set} errors={errors} />
      </div>
      <QuotaFields
        values={values}
        onChange={set}
        errors={errors}
        scopes={quotaScopes}
        scopeHint="Sessions of the dashboard count as one key, unless all share one."
        limits="all calls of the user"
      />
      <TextField
        label="Networks of sessions"
        hint="IP addresses and CIDRs from which the user may log in, separated by commas. API keys have their own."
        placeholder="All, or such as 10.0.0.0/8"
        value={values.networks}
        error={fieldIssue(errors, 'allowed_networks')}
        onChange={({ target }) => set({ networks: target.value })}
      />
      <TextField
        label="Models"
        placeholder="All"
        hint="Separated by commas, such as gpt-*, fast. For all keys and sessions of the user."
        value={values.modelNames}
        error={fieldIssue(errors, 'models')}
        onChange={({ target }) => set({ modelNames: target.value })}
      />
    </>
  )
}

const quotaScopes = [
  { value: 'key', label: 'Each key has its own' },
  { value: 'user', label: 'All keys and sessions share one' },
] as const

/** The fields on the wire whose issues the form shows. */
export const userFields = [
  'name',
  'email',
  'email_verified',
  'role',
  'tier',
  'quota_limit',
  'quota_scope',
  'budget_usd',
  'budget_period',
  'allowed_networks',
  'models',
  'password',
] as const
