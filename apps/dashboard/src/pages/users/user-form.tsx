import { BudgetFields } from '../../budgets/budget-fields.tsx'
import { type BudgetValues, toBudgetBody } from '../../budgets/budget-values.ts'
import { Field, TextField } from '../../components/field.tsx'
import { Select } from '../../components/select.tsx'
import { formatLabel } from '../../format.ts'
import { roles, tiers, type User } from './user.ts'

/** What an admin sets. */
export interface UserValues extends Pick<User, 'name' | 'email' | 'role' | 'tier' | 'quota_scope'>, BudgetValues {
  /** As text; empty means no limit. */
  readonly quotaLimit: string
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
        <Field label="Tier" error={errors?.get('tier')}>
          {({ id }) => (
            <Select
              id={id}
              label="Tier"
              wide
              value={values.tier}
              options={tiers.map((value) => ({ value, label: formatLabel(value) }))}
              onChange={(tier) => set({ tier })}
            />
          )}
        </Field>
      </div>
      {values.tier === 'enterprise' && (
        <TextField
          label="Quota limit"
          hint="Units per month. Leave empty for no limit."
          inputMode="numeric"
          pattern="[0-9]*"
          value={values.quotaLimit}
          error={errors?.get('quota_limit')}
          onChange={({ target }) => set({ quotaLimit: target.value })}
        />
      )}
      <Field
        label="Monthly quota"
        hint="Sessions of the dashboard count as one key, unless all share one."
        error={errors?.get('quota_scope')}
      >
        {({ id }) => (
          <Select
            id={id}
            label="Monthly quota"
            wide
            value={values.quota_scope}
            options={quotaScopes}
            onChange={(quota_scope) => set({ quota_scope })}
          />
        )}
      </Field>
      <BudgetFields values={values} onChange={set} limits="all calls of the user" errors={errors} />
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
  'role',
  'tier',
  'quota_limit',
  'quota_scope',
  'budget_usd',
  'budget_period',
  'password',
] as const

/** The values as the API takes them. Only the tier enterprise has a quota limit of its own. */
export function toBody({ quotaLimit, budgetUsd, budgetPeriod, ...values }: UserValues) {
  const hasLimit = values.tier === 'enterprise' && quotaLimit.trim() !== ''
  return {
    ...values,
    quota_limit: hasLimit ? Number(quotaLimit) : null,
    ...toBudgetBody({ budgetUsd, budgetPeriod }),
  }
}
