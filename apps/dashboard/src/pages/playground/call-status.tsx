import { Badge, type BadgeTone } from '../../components/badge.tsx'
import { formatMs, formatNumber } from '../../format.ts'
import { Elapsed } from './elapsed.tsx'
import type { Call } from './call.ts'

const statuses: Readonly<Record<Call['status'], { readonly label: string; readonly tone: BadgeTone }>> = {
  running: { label: 'Running', tone: 'accent' },
  done: { label: 'Done', tone: 'success' },
  stopped: { label: 'Stopped', tone: 'warning' },
  failed: { label: 'Failed', tone: 'danger' },
}

export function CallStatus({ call: { status } }: { readonly call: Call }) {
  return (
    <>
      {status === 'running' && <Elapsed />}
      <Badge tone={statuses[status].tone}>{statuses[status].label}</Badge>
    </>
  )
}

/** Read by screen readers, once for each state: not every token of a stream. */
export function announceStatus({ status, reply, durationMs = 0 }: Call): string {
  if (status === 'running') return 'The model is working.'
  if (status === 'stopped') return 'Stopped.'
  // The panel announces a failure itself.
  if (status === 'failed' || !reply) return ''
  const size = 'content' in reply.data ? `, ${formatNumber(reply.data.usage.completion_tokens)} tokens` : ''
  return `Response complete after ${formatMs(durationMs)}${size}.`
}
