import { type LucideIcon, ScanText, Shapes, TextQuote } from 'lucide-react'
import { useState } from 'react'
import { Badge, type BadgeTone } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { formatMs, formatNumber } from '../../format.ts'
import { AnalysisResult } from './analysis-result.tsx'
import { CodeDialog } from './code-dialog.tsx'
import type { Column } from './columns.ts'
import { Elapsed } from './elapsed.tsx'
import { ImageResult, PendingImage } from './image-result.tsx'
import type { Mode } from './playground-state.ts'
import { ResultMeta } from './result-meta.tsx'
import { TextResult } from './text-result.tsx'
import type { Call } from './use-calls.ts'

export interface ResultCardProps {
  readonly mode: Mode
  readonly column: Column
  readonly compare: boolean
  /** Shows a text without formatting. */
  readonly raw: boolean
  onRawChange(raw: boolean): void
  onRetry(): void
  onExample(prompt: string): void
}

/** The latest call of a column: its progress, its result or failure, and its figures. */
export function ResultCard({ mode, column, compare, onRetry, onExample, ...view }: ResultCardProps) {
  const { call, choice, request } = column
  const [codeShown, setCodeShown] = useState(false)
  // Another model may have been chosen since the call.
  const model = call?.request.body['model'] ?? choice?.name ?? column.title
  return (
    <Card
      title={compare ? `Response of ${String(model)}` : 'Response'}
      actions={
        <div className="flex items-center gap-2">
          {call && <CallStatus call={call} />}
          <Button size="sm" disabled={!request} onClick={() => setCodeShown(true)}>
            View code
          </Button>
        </div>
      }
    >
      <p role="status" className="sr-only">
        {call && announcementOf(call)}
      </p>
      {call ? (
        <CallView
          call={call}
          textLabel={compare ? `Generated text, ${column.title}` : 'Generated text'}
          onRetry={onRetry}
          {...view}
        />
      ) : (
        <Examples mode={mode} onExample={onExample} />
      )}
      {request && <CodeDialog open={codeShown} onOpenChange={setCodeShown} request={request} />}
    </Card>
  )
}

interface CallViewProps extends Pick<ResultCardProps, 'raw' | 'onRawChange' | 'onRetry'> {
  readonly call: Call
  readonly textLabel: string
}

function CallView({ call, textLabel, onRetry, ...view }: CallViewProps) {
  const { status, request, text, reply, error } = call
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {status === 'failed' && <ErrorPanel error={error} onRetry={onRetry} />}
      {reply && 'url' in reply.data && <ImageResult image={reply.data} request={request} />}
      {reply && !('url' in reply.data) && !('content' in reply.data) && (
        <AnalysisResult analysis={reply.data} text={String(request.body['text'])} />
      )}
      {request.path === '/generate' && (status === 'running' || text !== '' || reply) && (
        <TextResult
          label={textLabel}
          text={reply && 'content' in reply.data ? reply.data.content : text}
          running={status === 'running'}
          {...view}
        />
      )}
      {status === 'running' && request.path === '/generate/image' && <PendingImage size={request.body['size']} />}
      {status === 'stopped' && text === '' && <p className="text-sm text-muted">Stopped before a result arrived.</p>}
      <ResultMeta call={call} />
    </div>
  )
}

const statuses: Readonly<Record<Call['status'], { readonly label: string; readonly tone: BadgeTone }>> = {
  running: { label: 'Running', tone: 'accent' },
  done: { label: 'Done', tone: 'success' },
  stopped: { label: 'Stopped', tone: 'warning' },
  failed: { label: 'Failed', tone: 'danger' },
}

function CallStatus({ call: { status } }: { readonly call: Call }) {
  return (
    <>
      {status === 'running' && <Elapsed />}
      <Badge tone={statuses[status].tone}>{statuses[status].label}</Badge>
    </>
  )
}

/** Read by screen readers, once for each state: not every token of a stream. */
function announcementOf({ status, reply, durationMs = 0 }: Call): string {
  if (status === 'running') return 'The model is working.'
  if (status === 'stopped') return 'Stopped.'
  // The panel announces a failure itself.
  if (status === 'failed' || !reply) return ''
  const size = 'content' in reply.data ? `, ${formatNumber(reply.data.usage.completion_tokens)} tokens` : ''
  return `Response complete after ${formatMs(durationMs)}${size}.`
}

interface Introduction {
  readonly icon: LucideIcon
  readonly title: string
  readonly examples: readonly string[]
}

const introductions: Readonly<Record<Mode, Introduction>> = {
  text: {
    icon: TextQuote,
    title: 'The text appears here',
    examples: [
      'Write a haiku about rain',
      'Name three ideas for a coffee shop',
      'Explain HTTP caching in two sentences',
    ],
  },
  image: {
    icon: Shapes,
    title: 'The image appears here',
    examples: ['a lighthouse on a cliff at sunset', 'calm blue waves', 'mountains in the morning mist'],
  },
  analysis: {
    icon: ScanText,
    title: 'The analysis appears here',
    examples: [
      'Maria Lopez loves the new office in Berlin. She moved there on 3 March 2026 for Acme Corp, and paid $1,200.',
      'The delivery was late again, and nobody at the hotline could help. I want my €49.90 back by Friday.',
    ],
  },
}

function Examples({ mode, onExample }: Pick<ResultCardProps, 'mode' | 'onExample'>) {
  const { icon, title, examples } = introductions[mode]
  return (
    <EmptyState
      icon={icon}
      title={title}
      action={
        <div className="flex max-w-md flex-wrap justify-center gap-2">
          {examples.map((example) => (
            <Button key={example} size="sm" className="max-w-full" onClick={() => onExample(example)}>
              <span className="truncate">{example}</span>
            </Button>
          ))}
        </div>
      }
    >
      Enter your own, or start with an example.
    </EmptyState>
  )
}
