import { Field, TextField } from '../components/field.tsx'
import { Select } from '../components/select.tsx'
import { type BudgetValues, periodOptions } from './budget-values.ts'

export interface BudgetFieldsProps {
  readonly values: BudgetValues
  onChange(changes: Partial<BudgetValues>): void
  /** The subject of the budget, such as `calls with the key`. */
  readonly limits: string
  /** Messages by the names of the fields on the wire. */
  readonly errors: ReadonlyMap<string, string> | undefined
}

/** The amount and the period of a budget. */
export function BudgetFields({ values, onChange, limits, errors }: BudgetFieldsProps) {
  return (
    <div className="grid grid-cols-2 items-start gap-4">
      <TextField
        label="Budget in USD"
        hint={`The most that ${limits} may cost. Leave empty for no budget.`}
        inputMode="decimal"
        pattern="[0-9]*\.?[0-9]+"
        title="A number, such as 20 or 0.5"
        placeholder="No budget"
        value={values.budgetUsd}
        error={errors?.get('budget_usd')}
        onChange={({ target }) => onChange({ budgetUsd: target.value })}
      />
      <Field label="Budget period" hint="In UTC. Weeks begin on Monday." error={errors?.get('budget_period')}>
        {({ id }) => (
          <Select
            id={id}
            label="Budget period"
            wide
            value={values.budgetPeriod}
            options={periodOptions}
            onChange={(budgetPeriod) => onChange({ budgetPeriod })}
          />
        )}
      </Field>
    </div>
  )
}
