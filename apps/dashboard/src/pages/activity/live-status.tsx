import { Button } from '../../components/button.tsx'
import { classNames } from '../../components/class-names.ts'
import { Pause, Play } from '../../components/icons.tsx'
import { formatNumber } from '../../format.ts'
import type { LiveEvents } from './use-live-events.ts'

export interface LiveStatusProps {
  readonly status: LiveEvents['status']
  readonly paused: boolean
  /** How many events arrived since the pause. */
  readonly waiting: number
  onPausedChange(paused: boolean): void
}

const labels: Readonly<Record<LiveEvents['status'], string>> = {
  connecting: 'Connecting',
  live: 'Live',
  lost: 'Connection lost, retrying',
  rejected: 'Not live',
}

/** Whether events arrive, and a button that pauses the list. */
export function LiveStatus({ status, paused, waiting, onPausedChange }: LiveStatusProps) {
  const isLive = status === 'live' && !paused
  return (
    <div className="flex items-center gap-3">
      <span role="status" className="flex items-center gap-2 text-sm text-muted">
        <span
          aria-hidden
          className={classNames('size-2 rounded-full', isLive ? 'animate-pulse bg-success' : 'bg-line-strong')}
        />
        {paused ? 'Paused' : labels[status]}
      </span>
      <Button disabled={status === 'rejected'} onClick={() => onPausedChange(!paused)}>
        {paused ? <Play aria-hidden className="size-3.5" /> : <Pause aria-hidden className="size-3.5" />}
        {paused ? 'Resume' : 'Pause'}
        {waiting > 0 && <span className="tabular">({formatNumber(waiting)} new)</span>}
      </Button>
    </div>
  )
}
