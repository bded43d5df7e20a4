import { CopyButton } from '../../components/copy-button.tsx'
import { TriangleAlert } from '../../components/icons.tsx'
import { formatMs, formatNumber, formatUsd } from '../../format.ts'
import type { Figures } from './conversation/conversation.ts'

export interface ResultMetaProps {
  readonly figures: Figures
  /** Shows the most important figures in one line. Default: false. */
  readonly compact?: boolean | undefined
}

const briefly = ['Latency', 'Tokens', 'Cost']

/** The figures of a call: its times, tokens, cost, provider, warnings, and request id. */
export function ResultMeta({ figures, compact = false }: ResultMetaProps) {
  const facts = listFacts(figures).filter(({ value }) => value !== undefined)
  const warnings = listWarnings(figures)
  const requestId = figures.reply?.meta.request_id
  if (facts.length === 0) return undefined
  if (compact) {
    const shown = facts.filter(({ name }) => briefly.includes(name))
    return (
      <p className="tabular text-2xs text-muted">{shown.map(({ name, value }) => `${name} ${value}`).join(' · ')}</p>
    )
  }
  return (
    <div className="flex flex-col gap-3 border-t border-line pt-3">
      {warnings.length > 0 && (
        <ul className="flex flex-col gap-1 rounded-lg bg-warning-soft p-2.5 text-xs text-warning">
          {warnings.map((warning) => (
            <li key={warning} className="flex gap-2">
              <TriangleAlert aria-hidden className="mt-px size-3.5 shrink-0" />
              {warning}
            </li>
          ))}
        </ul>
      )}
      <dl className="flex flex-wrap gap-x-6 gap-y-2">
        {facts.map(({ name, value, title }) => (
          <div key={name} title={title}>
            <dt className="text-2xs text-muted">{name}</dt>
            <dd className="tabular text-sm font-medium">{value}</dd>
          </div>
        ))}
      </dl>
      {requestId !== undefined && (
        <p className="-my-1 flex items-center gap-1 text-xs text-muted">
          Request
          <code className="truncate font-mono">{requestId}</code>
          <CopyButton text={requestId} label="Copy the request id" />
        </p>
      )}
    </div>
  )
}

/** The speed of a short text, or of one that arrives almost at once, says nothing. */
const minWritingMs = 100
const minWrittenTokens = 10

interface Fact {
  readonly name: string
  readonly value: string | undefined
  readonly title?: string | undefined
}

function listFacts({ reply, durationMs, firstTextMs }: Figures): readonly Fact[] {
  const { meta, data } = reply ?? {}
  const usage = data && 'content' in data ? data.usage : undefined
  const writingMs = durationMs !== undefined && firstTextMs !== undefined ? durationMs - firstTextMs : 0
  return [
    {
      name: 'Latency',
      value: durationMs === undefined ? undefined : formatMs(durationMs),
      title: 'Seen by this browser',
    },
    {
      name: 'First token',
      value: firstTextMs === undefined ? undefined : formatMs(firstTextMs),
      title: 'Seen by this browser',
    },
    {
      name: 'Tokens',
      value: usage && `${formatNumber(usage.prompt_tokens)} + ${formatNumber(usage.completion_tokens)}`,
      title: 'Of the prompt, and of the answer',
    },
    { name: 'Reasoning', value: tokens(usage?.reasoning_tokens), title: 'Tokens of the answer that were reasoning' },
    { name: 'Prompt cache', value: tokens(usage?.cached_prompt_tokens), title: 'Tokens that the provider had cached' },
    {
      name: 'Speed',
      value:
        usage && writingMs >= minWritingMs && usage.completion_tokens >= minWrittenTokens
          ? `${formatNumber(Math.round((usage.completion_tokens / writingMs) * 1000))} tokens/s`
          : undefined,
    },
    { name: 'Finish', value: data && 'content' in data ? data.finish_reason : undefined },
    { name: 'Cost', value: meta && (meta.cost_usd === undefined ? 'Unknown' : formatUsd(meta.cost_usd)) },
    { name: 'Provider', value: meta?.provider },
    { name: 'Attempts', value: meta && String(meta.attempts) },
    { name: 'Cached', value: meta && (meta.cached ? 'Yes' : 'No') },
  ]
}

function tokens(count: number | undefined): string | undefined {
  return count ? `${formatNumber(count)} tokens` : undefined
}

function listWarnings({ reply }: Figures): readonly string[] {
  const { meta, data } = reply ?? {}
  const warnings = (meta?.warnings ?? []).map(({ field, issue }) => (field ? `${field}: ${issue}` : issue))
  const isCut = data && 'content' in data && data.finish_reason === 'length'
  return isCut ? ['The text reached max_tokens. Raise it for a longer text.', ...warnings] : warnings
}
