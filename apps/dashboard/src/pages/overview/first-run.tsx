import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { api } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { Check, LoaderCircle } from '../../components/icons.tsx'
import { QueryError } from '../../components/query-error.tsx'
import { formatMs } from '../../format.ts'
import { serviceUrl } from '../../home.ts'
import { reloadKeys } from '../api-keys/api-key.ts'
import { curlSample } from '../playground/code/code-samples.ts'

const firstRequest = { path: '/v1/generate', body: { model: 'scribe', prompt: 'Write a haiku about rain' } }
/** How soon the first request is shown. */
const pollMs = 2_000

/** The way to the first request: a key, a command that uses it, and its result. */
export function FirstRun({ onDone }: { onDone(): void }) {
  const keys = api.useQuery('get', '/api-keys', { params: { query: { limit: 1, status: 'active' } } })
  const create = api.useMutation('post', '/api-keys', { onSuccess: reloadKeys })
  const requests = api.useQuery(
    'get',
    '/requests',
    { params: { query: { limit: 1 } } },
    { refetchInterval: ({ state }) => (state.data?.data.length ? false : pollMs) },
  )
  const secret = create.data?.data.secret
  const hasKey = secret !== undefined || (keys.data?.data.length ?? 0) > 0
  const request = requests.data?.data[0]

  return (
    <Card title="Send your first request" description="Three steps. The page shows the result by itself.">
      <ol className="flex flex-col gap-5">
        <Step number={1} title="Create an API key" done={hasKey}>
          {create.error ? <ErrorPanel error={create.error} /> : null}
          {secret !== undefined && (
            <>
              <CodeBlock label="secret" code={secret} wrap />
              <p className="text-xs text-muted">Copy the secret now. It is shown only this once.</p>
            </>
          )}
          {secret === undefined && (
            <div className="flex flex-wrap items-center gap-3">
              <Button
                variant={hasKey ? 'secondary' : 'primary'}
                busy={create.isPending}
                onClick={() =>
                  create.mutate({ body: { name: 'First key', scopes: ['generate', 'analyze', 'models'] } })
                }
              >
                {hasKey ? 'Create another key' : 'Create a key'}
              </Button>
              {hasKey && <p className="text-sm text-muted">You have a key already. Use its secret below.</p>}
            </div>
          )}
        </Step>
        <Step number={2} title="Run this command" done={request !== undefined}>
          <CodeBlock label="curl command" code={curlSample(firstRequest, serviceUrl, secret)} />
          <p className="text-xs text-muted">
            {secret === undefined ? 'It reads the secret of your key from FAIRLEAD_API_KEY. ' : ''}
            Or{' '}
            <Link to="/playground" className="rounded-sm font-medium text-accent hover:underline">
              try a model in the playground
            </Link>
            .
          </p>
        </Step>
        <Step number={3} title="See the result" done={request !== undefined}>
          <QueryError query={requests} />
          {request ? (
            <div role="status" className="flex flex-col items-start gap-3">
              <p className="text-sm">
                <code className="font-mono text-xs">{request.operation}</code> with {request.model ?? 'no model'}:{' '}
                {request.status === 'ok' ? 'succeeded' : request.status} in {formatMs(request.duration_ms)}.
              </p>
              <div className="flex flex-wrap gap-2">
                <Button
                  variant="primary"
                  onClick={() => {
                    void queryClient.invalidateQueries({ queryKey: ['get', '/usage/timeseries'] })
                    onDone()
                  }}
                >
                  Show the overview
                </Button>
                <Link to="/requests/$requestId" params={{ requestId: request.id }} className={buttonClass({})}>
                  Show the request
                </Link>
              </div>
            </div>
          ) : (
            <p role="status" className="flex items-center gap-2 text-sm text-muted">
              <LoaderCircle aria-hidden className="size-3.5 animate-spin" />
              Waiting for the first request
            </p>
          )}
        </Step>
      </ol>
    </Card>
  )
}

interface StepProps {
  readonly number: number
  readonly title: string
  readonly done: boolean
  readonly children: ReactNode
}

function Step({ number, title, done, children }: StepProps) {
  return (
    <li className="flex gap-3">
      <span
        aria-hidden
        className={`flex size-6 shrink-0 items-center justify-center rounded-full text-xs font-semibold ${done ? 'bg-success-soft text-success' : 'bg-hover text-muted'}`}
      >
        {done ? <Check className="size-3.5" /> : number}
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-2">
        <h3 className="text-sm leading-6 font-semibold">
          {title}
          {done && <span className="sr-only"> (done)</span>}
        </h3>
        {children}
      </div>
    </li>
  )
}

interface FirstRunState {
  /** Whether it is not known yet. */
  readonly isPending: boolean
  readonly isFirstRun: boolean
  finish(): void
}

/**
 * Whether the user has not sent a request yet. Stays true until `finish`, so that the first result is shown.
 *
 * @param isEmpty whether the overview has no requests
 */
export function useFirstRun(isEmpty: boolean): FirstRunState {
  const [state, setState] = useState<'unknown' | 'first run' | 'done'>('unknown')
  const requests = api.useQuery(
    'get',
    '/requests',
    { params: { query: { limit: 1 } } },
    { enabled: isEmpty && state === 'unknown' },
  )
  if (state === 'unknown' && isEmpty && requests.data?.data.length === 0) setState('first run')
  const isPending = isEmpty && state === 'unknown' && requests.isPending
  return { isPending, isFirstRun: state === 'first run', finish: () => setState('done') }
}
