import { ErrorPanel } from '../../components/error-panel.tsx'
import { AnalysisResult } from './analysis-result.tsx'
import { CallCard } from './call-card.tsx'
import type { Column } from './columns.ts'
import { Examples } from './examples.tsx'
import { ImageResult, PendingImage } from './image-result.tsx'
import type { Mode } from './playground-state.ts'
import { ResultMeta } from './result-meta.tsx'
import type { Call } from './call.ts'

export interface ResultCardProps {
  readonly mode: Exclude<Mode, 'text'>
  readonly column: Column
  readonly compare: boolean
  onRetry(): void
  onExample(prompt: string): void
}

/** The latest call of a column for an image or an analysis: its progress, its result or failure, and its figures. */
export function ResultCard({ mode, column, compare, onRetry, onExample }: ResultCardProps) {
  const { call, choice, request } = column
  // Another model may have been chosen since the call.
  const model = call?.request.body['model'] ?? choice?.name ?? column.title
  return (
    <CallCard title={compare ? `Response of ${String(model)}` : 'Response'} call={call} request={request}>
      {call ? <CallView call={call} onRetry={onRetry} /> : <Examples mode={mode} onExample={onExample} />}
    </CallCard>
  )
}

interface CallViewProps {
  readonly call: Call
  onRetry(): void
}

function CallView({ call, onRetry }: CallViewProps) {
  const { status, request, reply, error } = call
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {status === 'failed' && <ErrorPanel error={error} onRetry={onRetry} />}
      {reply && 'url' in reply.data && <ImageResult image={reply.data} request={request} />}
      {reply && !('url' in reply.data) && !('content' in reply.data) && (
        <AnalysisResult analysis={reply.data} text={String(request.body['text'])} />
      )}
      {status === 'running' && request.path === '/generate/image' && <PendingImage size={request.body['size']} />}
      {status === 'stopped' && <p className="text-sm text-muted">Stopped before a result arrived.</p>}
      <ResultMeta figures={call} />
    </div>
  )
}
