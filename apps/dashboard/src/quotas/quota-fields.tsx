import { BudgetFields } from '../budgets/budget-fields.tsx'
import { Field, TextField } from '../components/field.tsx'
import { Select } from '../components/select.tsx'
import { formatLabel } from '../format.ts'
import { tiers } from '../pages/users/user.ts'
import type { QuotaValues } from './quota-values.ts'

interface FieldsProps<Scope extends string> {
  readonly values: QuotaValues<Scope>
  onChange(changes: Partial<QuotaValues<Scope>>): void
  /** Messages by the names of the fields on the wire. */
  readonly errors: ReadonlyMap<string, string> | undefined
}

export function TierField<Scope extends string>({ values, onChange, errors }: FieldsProps<Scope>) {
  return (
    <Field label="Tier" error={errors?.get('tier')}>
      {({ id }) => (
        <Select
          id={id}
          label="Tier"
          wide
          value={values.tier}
          options={tiers.map((value) => ({ value, label: formatLabel(value) }))}
          onChange={(tier) => onChange({ tier })}
        />
      )}
    </Field>
  )
}

export interface QuotaFieldsProps<Scope extends string> extends FieldsProps<Scope> {
  /** Whose quota it can be. */
  readonly scopes: readonly { readonly value: Scope; readonly label: string }[]
  readonly scopeHint?: string | undefined
  /** The subject of the budget, such as `all calls of the user`. */
  readonly limits: string
}

/** The quota limit, which only the tier enterprise has, whose quota it is, and the budget. */
export function QuotaFields<Scope extends string>(props: QuotaFieldsProps<Scope>) {
  const { values, onChange, errors, scopes, scopeHint, limits } = props
  return (
    <>
      {values.tier === 'enterprise' && (
        <TextField
          label="Quota limit"
          hint="Units per month. Leave empty for no limit."
          inputMode="numeric"
          pattern="[0-9]*"
          value={values.quotaLimit}
          error={errors?.get('quota_limit')}
          onChange={({ target }) => onChange({ quotaLimit: target.value })}
        />
      )}
      <Field label="Monthly quota" hint={scopeHint} error={errors?.get('quota_scope')}>
        {({ id }) => (
          <Select
            id={id}
            label="Monthly quota"
            wide
            value={values.quota_scope}
            options={scopes}
            onChange={(quota_scope) => onChange({ quota_scope })}
          />
        )}
      </Field>
      <BudgetFields values={values} onChange={onChange} limits={limits} errors={errors} />
    </>
  )
}
