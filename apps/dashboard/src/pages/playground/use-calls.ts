import { useCallback, useEffect, useRef, useState } from 'react'
import { sendAuthorized } from '../../api/client.ts'
import { serviceUrl } from '../../home.ts'
import type { Call } from './call.ts'
import { callModel, type CallRequest } from './call-model.ts'
import { newId } from './conversation/conversation.ts'
import { withDelta } from './streamed-parts.ts'

export interface Calls {
  /** The latest call of each column. */
  readonly latest: Readonly<Partial<Record<string, Call>>>
  /**
   * Starts a call, and stops the one before in the same column.
   *
   * @param onEnd receives the call when it has ended, unless a newer one has taken the column
   */
  start(column: string, request: CallRequest, onEnd?: (call: Call) => void): void
  stop(column: string): void
  /** Stops the call of a column, and forgets it. */
  clear(column: string): void
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

  const clear = useCallback((column: string) => {
    aborts.current.get(column)?.abort()
    aborts.current.delete(column)
    setLatest((before) => ({ ...before, [column]: undefined }))
  }, [])

  const start = useCallback<Calls['start']>((column, request, onEnd) => {
    aborts.current.get(column)?.abort()
    const abort = new AbortController()
    aborts.current.set(column, abort)
    const startedAt = performance.now()
    const elapsed = () => performance.now() - startedAt
    let call: Call = { id: newId(), status: 'running', request, parts: [] }

    function show(changes: Partial<Call>) {
      // A newer call has taken the column.
      if (aborts.current.get(column) !== abort) return
      call = { ...call, ...changes }
      setLatest((before) => ({ ...before, [column]: call }))
      if (call.status !== 'running') onEnd?.(call)
    }

    async function run() {
      try {
        const reply = await callModel(request, {
          serviceUrl,
          send: sendAuthorized,
          signal: abort.signal,
          onDelta: (delta) => show({ parts: withDelta(call.parts, delta), firstTextMs: call.firstTextMs ?? elapsed() }),
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

  return { latest, start, stop, clear }
}
