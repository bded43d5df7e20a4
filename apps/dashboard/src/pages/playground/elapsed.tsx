import { useEffect, useState } from 'react'

const intervalMs = 100

/** The time since this element appeared. */
export function Elapsed() {
  const [startedAt] = useState(() => performance.now())
  const [now, setNow] = useState(startedAt)
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), intervalMs)
    return () => clearInterval(timer)
  }, [])
  return (
    <span aria-hidden className="tabular text-xs text-muted">
      {((now - startedAt) / 1000).toFixed(1)} s
    </span>
  )
}
