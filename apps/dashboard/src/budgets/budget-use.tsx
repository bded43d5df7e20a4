import { Badge } from '../components/badge.tsx'
import { CircleAlert, TriangleAlert } from '../components/icons.tsx'
import { ProgressBar } from '../components/progress-bar.tsx'
import { formatPercent, formatUsd } from '../format.ts'
import { useNow } from '../now.ts'
import { type Budget, describeBudget, describeForecast, describeReset, forecast } from './budget.ts'

export interface BudgetUseProps {
  readonly budget: Budget
  /** Whose budget it is. */
  readonly name: string
}

/** The amounts of a budget that are spent, reserved, and left, and a forecast at this rate. */
export function BudgetUse({ budget, name }: BudgetUseProps) {
  const { spent_usd, reserved_usd, remaining_usd, limit_usd, period } = budget
  const found = forecast(budget, useNow())
  const facts = [
    reserved_usd > 0 && `${formatUsd(reserved_usd)} reserved`,
    `${formatUsd(remaining_usd)} left`,
    describeReset(budget),
  ]
  return (
    <>
      <div className="mb-1.5 flex flex-wrap items-center justify-between gap-x-4 text-sm">
        <span className="flex min-w-0 items-center gap-2">
          <span className="truncate font-medium">{name}</span>
          <BudgetBadge budget={budget} />
        </span>
        <span className="tabular whitespace-nowrap">
          {formatUsd(spent_usd)}
          <span className="text-muted"> / {describeBudget({ budget_usd: limit_usd, budget_period: period })}</span>
        </span>
      </div>
      {limit_usd > 0 && (
        <ProgressBar label={`US dollars of the budget of ${name} spent`} value={spent_usd} max={limit_usd} />
      )}
      <p className="tabular mt-1.5 text-xs text-muted">{facts.filter(Boolean).join(' · ')}</p>
      {found && (
        <p
          className="tabular text-xs text-muted"
          title="What is spent, divided by the time since the period began, for the whole period"
        >
          {describeForecast(found, period)}
        </p>
      )}
    </>
  )
}

/** Says from 80% on how much is spent. It has the colors of the bar. */
function BudgetBadge({ budget: { spent_usd, limit_usd } }: { readonly budget: Budget }) {
  if (limit_usd === 0) return <Badge>Only free models</Badge>
  const share = spent_usd / limit_usd
  if (share < 0.8) return null
  const Icon = share < 1 ? TriangleAlert : CircleAlert
  return (
    <Badge tone={share < 1 ? 'warning' : 'danger'}>
      <Icon aria-hidden className="mr-1 size-3" />
      {share < 1 ? `${formatPercent(Math.floor(share * 100) / 100)} spent` : 'Used up'}
    </Badge>
  )
}
