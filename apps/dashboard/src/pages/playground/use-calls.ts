import { useCallback, useEffect, useRef, useState } from 'react'
import { sendAuthorized } from '../../api/client.ts'
import { serviceUrl } from '../../home.ts'
import { callModel, type CallRequest, type Reply } from './call-model.ts'

/** A call of a model, as far as it has come. */
export interface Call {
  readonly status: 'running' | 'done' | 'stopped' | 'failed'
  readonly request: CallRequest
  /** The text that was streamed so far. */
  readonly text: string
  /** From the request to the first part of a streamed text. */
  readonly firstTextMs?: number | undefined
  /** From the request to the end of the response. */
  readonly durationMs?: number | undefined
  readonly reply?: Reply | undefined
  readonly error?: unknown
}

export interface Calls {
  /** The latest call of each column. */
  readonly latest: Readonly<Partial<Record<string, Call>>>
  /** Starts a call, and stops the one before in the same column. */
  start(column: string, request: CallRequest): void
  stop(column: string): void
}

/** The calls of the playground's columns. Leaving the page stops those that run. */
export function useCalls(): Calls {
  const [latest, setLatest] = useState<Calls['latest']>({})
  const aborts = useRef(new Map<string, AbortController>())

  useEffect(() => {
    const running = aborts.current
    return () => {
      for (const abort of running.values()) abort.abort()
    }
  }, [])

  const stop = useCallback((column: string) => aborts.current.get(column)?.abort(), [])

  const start = useCallback((column: string, request: CallRequest) => {
    aborts.current.get(column)?.abort()
    const abort = new AbortController()
    aborts.current.set(column, abort)
    const startedAt = performance.now()
    const elapsed = () => performance.now() - startedAt
    let call: Call = { status: 'running', request, text: '' }

    function show(changes: Partial<Call>) {
      // A newer call has taken the column.
      if (aborts.current.get(column) !== abort) return
      call = { ...call, ...changes }
      setLatest((before) => ({ ...before, [column]: call }))
    }

    async function run() {
      try {
        const reply = await callModel(request, {
          serviceUrl,
          send: sendAuthorized,
          signal: abort.signal,
          onText: (text) => show({ text: call.text + text, firstTextMs: call.firstTextMs ?? elapsed() }),
        })
        show({ status: 'done', reply, durationMs: elapsed() })
      } catch (error) {
        if (abort.signal.aborted) show({ status: 'stopped', durationMs: elapsed() })
        else show({ status: 'failed', error, durationMs: elapsed() })
      }
    }

    show({})
    void run()
  }, [])

  return { latest, start, stop }
}
