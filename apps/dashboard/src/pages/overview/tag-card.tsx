import { keepPreviousData } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { Card } from '../../components/card.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { QueryError } from '../../components/query-error.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { Select } from '../../components/select.tsx'
import { type RouteFilters, withChosen } from '../../filters.ts'
import { serviceUrl } from '../../home.ts'
import type { requestsRoute } from '../requests/page.ts'
import { BreakdownCard, costColumn, errorsColumn, requestsColumn, tokensColumn } from './breakdown-card.tsx'
import { tagNames } from './tag-names.ts'
import { refreshMs } from './usage-charts.tsx'
import type { WhoseUsage } from './whose-usage.ts'

export interface TagCardProps {
  /** The period, in ISO 8601. The service widens it to whole days in UTC. */
  readonly from: string
  readonly to: string
  readonly whose: WhoseUsage
  /** The filters of the page Requests for the period. */
  readonly requestsOf: RouteFilters<typeof requestsRoute>
  /** The name of a tag. Default: the tag of the latest requests. */
  readonly tag: string | undefined
  onTagChange(tag: string | undefined): void
}

const columns = [requestsColumn, { ...errorsColumn, wide: true }, tokensColumn, costColumn]
/** No name of a tag. */
const another = ''

/** The usage by the values of a tag, or how to tag requests. */
export function TagCard({ from, to, whose, requestsOf, tag: chosen, onTagChange }: TagCardProps) {
  const [isTyped, setTyped] = useState(false)
  const latest = api.useQuery('get', '/requests', {
    params: { query: { limit: 100, user_id: whose.requestsOf.user, created_after: from, created_before: to } },
  })
  const names = tagNames(latest.data?.data ?? [])
  const tag = chosen ?? names[0]
  const usage = api.useQuery(
    'get',
    '/usage/timeseries',
    { params: { query: { from, to, group_by: 'tag', tag, ...whose.query } } },
    { enabled: tag !== undefined, placeholderData: keepPreviousData, refetchInterval: refreshMs },
  )
  const groups = tag === undefined ? undefined : usage.data?.data.groups
  const hasCost = groups?.some(({ cost_usd }) => cost_usd > 0) ?? false
  const actions = (
    <div className="flex flex-wrap gap-2">
      {names.length > 0 && (
        <Select
          label="Tag"
          showLabel
          value={isTyped ? another : (tag ?? another)}
          options={[...withChosen(names, chosen), { value: another, label: 'Another' }]}
          onChange={(next) => {
            setTyped(next === another)
            if (next !== another) onTagChange(next)
          }}
        />
      )}
      {(isTyped || names.length === 0) && (
        <SearchField label="Name of a tag" value={chosen ?? ''} onChange={(next) => onTagChange(next.trim())} />
      )}
    </div>
  )
  const failed = tag === undefined ? latest : usage
  if (failed.error && !failed.data) {
    return (
      <Card title="Tags" actions={actions}>
        <QueryError query={failed} />
      </Card>
    )
  }
  const isUntagged = tag === undefined && !latest.isPending
  return (
    <BreakdownCard
      title="Tags"
      description="Requests with the tag, by its value. Whole days in UTC."
      label={tag ?? 'Value'}
      none="Other values"
      firstBy={hasCost ? 'cost_usd' : 'requests'}
      columns={columns}
      groups={isUntagged ? [] : groups}
      actions={actions}
      requestsOf={(value) => ({ ...requestsOf, tag: `${tag}=${value}` })}
      empty={
        isUntagged ? <HowToTag /> : <p className="text-sm text-muted">No requests with this tag in this period.</p>
      }
    />
  )
}

function HowToTag() {
  return (
    <div className="flex flex-col gap-3 text-sm text-muted">
      <p>
        None of the latest requests has tags. Tag them to see what each team, customer, or feature costs, with a header
        or with the tags of an{' '}
        <Link to="/api-keys" className="rounded-sm font-medium text-accent hover:underline">
          API key
        </Link>
        :
      </p>
      <CodeBlock label="curl command with tags" code={sample} />
    </div>
  )
}

const sample = [
  `curl ${serviceUrl}/generate`,
  `-H "Authorization: Bearer $FAIRLEAD_API_KEY"`,
  `-H 'X-Fairlead-Tags: team=search, env=prod'`,
  `-H 'Content-Type: application/json'`,
  `-d '{"model": "scribe", "prompt": "Say hello"}'`,
].join(' \\\n  ')
