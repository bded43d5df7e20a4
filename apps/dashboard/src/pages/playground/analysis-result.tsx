import type { ReactNode } from 'react'
import { Badge, type BadgeTone } from '../../components/badge.tsx'
import { formatPercent } from '../../format.ts'
import type { Analysis } from './call-model.ts'
import { MarkedText } from './marked-text.tsx'

export interface AnalysisResultProps {
  readonly analysis: Analysis
  /** The text that was analyzed. */
  readonly text: string
}

export function AnalysisResult({ analysis: { sentiment, entities, keywords }, text }: AnalysisResultProps) {
  return (
    <div className="flex min-w-0 flex-col gap-5">
      {sentiment && (
        <Part title="Sentiment">
          <SentimentScale {...sentiment} />
        </Part>
      )}
      {entities && (
        <Part title="Entities">
          <MarkedText text={text} entities={entities} />
        </Part>
      )}
      {keywords && (
        <Part title="Keywords">
          {keywords.length === 0 ? (
            <p className="text-sm text-muted">The text has no keywords.</p>
          ) : (
            <ul className="grid gap-x-6 gap-y-1.5 sm:grid-cols-2">
              {keywords.map(({ text: keyword, score }) => (
                <li key={keyword} className="flex items-center gap-2">
                  <span className="relative min-w-0 flex-1 overflow-hidden rounded-sm px-2 py-1">
                    <span
                      aria-hidden
                      className="absolute inset-y-0 left-0 rounded-sm bg-accent-soft"
                      style={{ width: `${score * 100}%` }}
                    />
                    <span className="relative block truncate text-sm">{keyword}</span>
                  </span>
                  <span className="tabular w-11 text-right text-xs text-muted">{formatPercent(score)}</span>
                </li>
              ))}
            </ul>
          )}
        </Part>
      )}
    </div>
  )
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="flex min-w-0 flex-col gap-2">
      <h3 className="text-xs font-medium text-muted">{title}</h3>
      {children}
    </section>
  )
}

type Sentiment = NonNullable<Analysis['sentiment']>

const tones: Readonly<Record<Sentiment['label'], { readonly badge: BadgeTone; readonly bar: string }>> = {
  positive: { badge: 'success', bar: 'bg-success' },
  neutral: { badge: 'neutral', bar: 'bg-subtle' },
  negative: { badge: 'danger', bar: 'bg-danger' },
}

/** A bar from the middle of a scale from -1 to 1. */
function SentimentScale({ score, label }: Sentiment) {
  const { badge, bar } = tones[label]
  const middle = 50
  const end = middle + score * middle
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-center gap-2">
        <Badge tone={badge}>{label}</Badge>
        <span className="tabular text-sm font-medium">
          {score > 0 ? '+' : ''}
          {score}
        </span>
      </div>
      <div
        role="meter"
        aria-label="Sentiment"
        aria-valuemin={-1}
        aria-valuemax={1}
        aria-valuenow={score}
        aria-valuetext={`${label}, ${score}`}
        className="relative h-2 rounded-full bg-hover"
      >
        <span
          className={`absolute inset-y-0 rounded-full ${bar}`}
          style={{ left: `${Math.min(middle, end)}%`, width: `${Math.abs(end - middle)}%` }}
        />
        <span className="absolute inset-y-[-2px] left-1/2 w-px bg-line-strong" />
      </div>
      <div aria-hidden className="tabular flex justify-between text-2xs text-muted">
        <span>-1 negative</span>
        <span>0</span>
        <span>positive 1</span>
      </div>
    </div>
  )
}
