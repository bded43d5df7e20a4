import { CircleCheck, CircleX } from '../../components/icons.tsx'
import { formatTime } from '../../format.ts'
import { attemptResult, explainAttempt, isSuccess } from './delivery-status.tsx'
import type { Delivery } from './webhook.ts'

/** The attempts of a delivery, the latest first. */
export function AttemptList({ attempts, status }: Pick<Delivery, 'attempts' | 'status'>) {
  if (attempts.length === 0) {
    const none =
      status === 'pending'
        ? 'The first attempt is due now.'
        : 'None: the webhook was disabled, or may not receive the event.'
    return <p className="text-sm text-muted">{none}</p>
  }
  return (
    <ol className="flex flex-col rounded-lg border border-line" reversed>
      {attempts.toReversed().map((attempt) => {
        const Icon = isSuccess(attempt) ? CircleCheck : CircleX
        const cause = explainAttempt(attempt)
        return (
          <li
            key={attempt.at}
            className="flex items-start gap-2.5 border-b border-line px-3 py-2 text-sm last:border-0"
          >
            <Icon
              aria-hidden
              className={`mt-0.5 size-4 shrink-0 ${isSuccess(attempt) ? 'text-success' : 'text-danger'}`}
            />
            <div className="min-w-0 flex-1">
              <p className="tabular font-medium">{attemptResult(attempt)}</p>
              {cause !== undefined && <p className="text-xs text-muted">{cause}</p>}
            </div>
            <time dateTime={attempt.at} className="tabular shrink-0 text-xs leading-5 text-muted">
              {formatTime(attempt.at)}
            </time>
          </li>
        )
      })}
    </ol>
  )
}
