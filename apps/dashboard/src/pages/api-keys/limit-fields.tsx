import { useState } from 'react'
import { fieldIssue } from '../../api/api-error.ts'
import { BudgetFields } from '../../budgets/budget-fields.tsx'
import { TextField } from '../../components/field.tsx'
import { Checkbox } from '../../components/checkbox.tsx'
import { PairFields } from '../../components/pair-fields.tsx'
import { formatNumber } from '../../format.ts'
import { useCurrentProject } from '../../projects/current-project.ts'
import { useUser } from '../../session/use-session.ts'
import { monthlyQuota } from '../users/user.ts'
import { hasLimits, type KeyValues } from './key-values.ts'

export interface LimitFieldsProps {
  readonly values: KeyValues
  onChange(changes: Partial<KeyValues>): void
  readonly errors: ReadonlyMap<string, string> | undefined
}

/** The fields on the wire whose issues are shown here. */
export const limitNames = [
  'budget_usd',
  'budget_period',
  'models',
  'allowed_networks',
  'requests_per_minute',
  'tokens_per_minute',
  'max_concurrency',
  'quota_limit',
  'metadata',
] as const

const counts = [
  { name: 'requestsPerMinute', label: 'Requests per minute', wire: 'requests_per_minute' },
  { name: 'tokensPerMinute', label: 'Tokens per minute', wire: 'tokens_per_minute' },
  { name: 'maxConcurrency', label: 'Calls at the same time', wire: 'max_concurrency' },
] as const

/** The limits of a key, folded while it has none. */
export function LimitFields({ values, onChange, errors }: LimitFieldsProps) {
  const [open, setOpen] = useState(() => hasLimits(values))
  const hasErrors = limitNames.some((name) => fieldIssue(errors, name) !== undefined)
  return (
    <details
      open={open || hasErrors}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      className="rounded-lg border border-line p-3"
    >
      <summary className="cursor-pointer rounded-sm text-sm font-medium">
        Budget and limits
        <span className="ml-2 text-xs font-normal text-muted">Empty fields set none.</span>
      </summary>
      <div className="mt-4 flex flex-col gap-4">
        <BudgetFields values={values} onChange={onChange} limits="calls with the key" errors={errors} />
        <TextField
          label="Models"
          hint="Models, routes, and aliases that the key may call, separated by commas. * stands for any text."
          placeholder="All, or such as gpt-*, fast"
          value={values.models}
          error={fieldIssue(errors, 'models')}
          onChange={({ target }) => onChange({ models: target.value })}
        />
        <TextField
          label="Networks"
          hint="IP addresses and CIDRs from which the key may be used, separated by commas."
          placeholder="All, or such as 10.0.0.0/8"
          value={values.networks}
          error={fieldIssue(errors, 'allowed_networks')}
          onChange={({ target }) => onChange({ networks: target.value })}
        />
        <div className="grid grid-cols-2 items-start gap-4">
          {counts.map(({ name, label, wire }) => (
            <CountField
              key={name}
              label={label}
              value={values[name]}
              error={errors?.get(wire)}
              onChange={(value) => onChange({ [name]: value })}
            />
          ))}
          <QuotaField values={values} onChange={onChange} errors={errors} />
        </div>
        <PairFields
          legend="Tags"
          pair="tag"
          hint="All requests with the key have them, to group cost by their values. Such as team and search."
          maxPairs={16}
          maxValueLength={128}
          pairs={values.tags}
          error={fieldIssue(errors, 'metadata')}
          onChange={(tags) => onChange({ tags })}
        />
        <Checkbox
          label="Take tags from OpenAI’s metadata"
          hint="Each value is kept in the usage: not for values that differ with each request."
          checked={values.tagsFromMetadata}
          onChange={(tagsFromMetadata) => onChange({ tagsFromMetadata })}
        />
      </div>
    </details>
  )
}

function QuotaField({ values, onChange, errors }: LimitFieldsProps) {
  const me = useUser()
  // A project has a separate quota, which the API checks.
  const isOwn = useCurrentProject() === undefined
  const quota = isOwn ? monthlyQuota(me) : null
  if (isOwn && me.quota_scope === 'user' && values.quotaLimit === '' && !errors?.has('quota_limit')) {
    return <p className="text-xs text-muted">All your keys share one quota of requests per month.</p>
  }
  return (
    <CountField
      label="Requests per month"
      hint={quota === null ? undefined : `At most ${formatNumber(quota)}, the quota of your tier.`}
      value={values.quotaLimit}
      error={errors?.get('quota_limit')}
      onChange={(quotaLimit) => onChange({ quotaLimit })}
    />
  )
}

interface CountFieldProps {
  readonly label: string
  readonly hint?: string | undefined
  readonly value: string
  readonly error: string | undefined
  onChange(value: string): void
}

function CountField({ onChange, ...field }: CountFieldProps) {
  return (
    <TextField
      {...field}
      inputMode="numeric"
      pattern="[0-9]*"
      title="A whole number"
      placeholder="No limit"
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
