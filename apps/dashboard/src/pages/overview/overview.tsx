import { keepPreviousData } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { api } from '../../api/client.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Activity, Download } from '../../components/icons.tsx'
import { QueryError } from '../../components/query-error.tsx'
import { RangePicker } from '../../components/range-picker.tsx'
import { download } from '../../download.ts'
import { useFilters } from '../../filters.ts'
import { countDays, dayRangeIssue } from '../../ranges.ts'
import { PageLayout } from '../../layout/page-layout.tsx'
import { UserSelect } from '../users/user-select.tsx'
import { BreakdownCard } from './breakdown-card.tsx'
import { BudgetsCard } from './budgets-card.tsx'
import { MonthCard } from './month-card.tsx'
import { FirstRun, useFirstRun } from './first-run.tsx'
import { overviewRoute } from './page.ts'
import { RequestsCard } from './requests-card.tsx'
import { TagCard } from './tag-card.tsx'
import { CostCard, LatencyCard, refreshMs, useChartFrame } from './usage-charts.tsx'
import { fillGaps, latestPeriod, periodOfDays, sumUsage, toCsv } from './usage-period.ts'
import { UsageStats } from './usage-stats.tsx'
import { everyone, useWhoseUsage } from './whose-usage.ts'

export function Overview() {
  const [filters, setFilters] = useFilters(overviewRoute)
  const { range = '7d', from: firstDay, to: lastDay, zone = 'local', split = 'model', latency = 'response' } = filters
  const days = useMemo(() => {
    const chosen = { from: firstDay ?? '', to: lastDay ?? '' }
    return dayRangeIssue(chosen) ? undefined : chosen
  }, [firstDay, lastDay])
  const period = useMemo(
    () => (days ? periodOfDays(days, zone) : latestPeriod(range, Date.now(), zone)),
    [days, range, zone],
  )
  const from = new Date(period.from).toISOString()
  const to = new Date(period.to).toISOString()
  const whose = useWhoseUsage(filters.user)
  const shownRequests = { range: 'custom', from, to, ...whose.requestsOf } as const
  const live = { placeholderData: keepPreviousData, refetchInterval: refreshMs }

  const series = api.useQuery(
    'get',
    '/usage/timeseries',
    { params: { query: { from, to, group_by: period.groupBy, ...whose.query } } },
    live,
  )
  const before = api.useQuery(
    'get',
    '/usage/timeseries',
    {
      params: {
        query: { from: new Date(period.before).toISOString(), to: from, group_by: 'operation', ...whose.query },
      },
    },
    { placeholderData: keepPreviousData },
  )
  const byModel = api.useQuery(
    'get',
    '/usage/timeseries',
    { params: { query: { from, to, group_by: 'model', ...whose.query } } },
    live,
  )
  const byOperation = api.useQuery(
    'get',
    '/usage/timeseries',
    { params: { query: { from, to, group_by: 'operation', ...whose.query } } },
    live,
  )
  const byUser = api.useQuery(
    'get',
    '/usage/timeseries',
    { params: { query: { from, to, group_by: 'user', all_users: true } } },
    { ...live, enabled: whose.isEveryone },
  )
  const groups = useMemo(
    () => (series.data ? fillGaps(period.times, series.data.data.groups) : undefined),
    [period, series.data],
  )
  const latencyGroups = useMemo(
    () => (series.data ? fillGaps(period.groupTimes, series.data.data.groups) : undefined),
    [period, series.data],
  )
  // One failure is shown for all, which have the same cause.
  const failed = [series, byModel, byOperation, byUser].find(({ error }) => error) ?? series
  const total = groups && sumUsage(groups)
  const isUnused = total?.requests === 0 && filters.range === undefined && !days
  const { isPending, isFirstRun, finish } = useFirstRun(isUnused && whose.isOwn)
  // The layout is decided once, so that nothing moves.
  const sum = isPending ? undefined : total
  const timeZone = zone === 'utc' ? 'UTC' : localZone
  const frame = useChartFrame(period, timeZone)
  const latencyFrame = useChartFrame({ ...period, step: period.groupBy, times: period.groupTimes }, timeZone)

  const userSelect = whose.isAdmin && (
    <UserSelect
      value={whose.isOwn ? '' : (filters.user ?? '')}
      options={[
        { value: '', label: 'Me' },
        { value: everyone, label: 'Everyone' },
      ]}
      onChange={(user) => setFilters({ user })}
    />
  )

  if (isFirstRun) {
    return (
      <PageLayout title="Overview" actions={userSelect}>
        <FirstRun onDone={finish} />
        <MonthCard query={{}} />
      </PageLayout>
    )
  }

  return (
    <PageLayout
      title="Overview"
      actions={
        <>
          {userSelect}
          <RangePicker
            period={days ?? range}
            zone={zone}
            onPeriodChange={(next) =>
              setFilters(
                typeof next === 'string'
                  ? { range: next, from: undefined, to: undefined }
                  : { range: undefined, ...next },
              )
            }
            onZoneChange={(next) => setFilters({ zone: next === 'local' ? undefined : next })}
          />
          <Button
            disabled={!latencyGroups}
            onClick={() =>
              latencyGroups && download(`usage-${from.slice(0, 10)}.csv`, 'text/csv', toCsv(latencyGroups))
            }
          >
            <Download aria-hidden className="size-4" />
            CSV
          </Button>
        </>
      }
    >
      <QueryError query={failed} />
      <UsageStats
        sum={sum}
        generations={byOperation.data?.data.groups.find(({ group }) => group === 'generate')}
        before={before.data && sumUsage(before.data.data.groups)}
        range={days ? `${countDays(days)}d` : range}
      />
      {sum?.requests === 0 && (
        <Card>
          <EmptyState
            icon={Activity}
            title="No requests in this period"
            action={
              <Link to="/api-keys" className={buttonClass({ variant: 'primary' })}>
                Create an API key
              </Link>
            }
          >
            Send a request with an API key, and it appears here within seconds.
          </EmptyState>
        </Card>
      )}
      {sum?.requests !== 0 && (groups ?? !series.error) && (
        <>
          <RequestsCard
            period={period}
            groups={groups}
            split={split}
            whose={whose}
            onSplitChange={(next) => setFilters({ split: next === 'model' ? undefined : next })}
            {...frame}
          />
          <div className="grid grid-cols-1 gap-4 md:gap-5 xl:grid-cols-2">
            <LatencyCard
              groups={latencyGroups}
              latency={latency}
              onLatencyChange={(next) => setFilters({ latency: next === 'response' ? undefined : next })}
              {...latencyFrame}
            />
            <CostCard groups={groups} {...frame} />
          </div>
        </>
      )}
      {whose.isEveryone && (byUser.data ?? !byUser.error) && (
        <BreakdownCard
          title="Users"
          label="User"
          none="Other"
          firstBy="cost_usd"
          groups={byUser.data?.data.groups}
          requestsOf={(user) => ({ ...shownRequests, user })}
        />
      )}
      <div className="grid grid-cols-1 gap-4 md:gap-5 xl:grid-cols-2">
        {(byModel.data ?? !byModel.error) && (
          <BreakdownCard
            title="Models"
            label="Model"
            none="Without a model"
            groups={byModel.data?.data.groups}
            requestsOf={(model) => ({ model, ...shownRequests })}
          />
        )}
        {(byOperation.data ?? !byOperation.error) && (
          <BreakdownCard
            title="Operations"
            label="Operation"
            none="Other"
            groups={byOperation.data?.data.groups}
            requestsOf={(operation) => ({ operation, ...shownRequests })}
          />
        )}
      </div>
      <TagCard
        from={from}
        to={to}
        whose={whose}
        requestsOf={shownRequests}
        tag={filters.tag}
        onTagChange={(tag) => setFilters({ tag })}
      />
      {!whose.isEveryone && (
        <>
          <BudgetsCard whose={whose} />
          <MonthCard query={whose.query} />
        </>
      )}
    </PageLayout>
  )
}

const localZone = Intl.DateTimeFormat().resolvedOptions().timeZone
