import { useEffect, useRef, useState } from 'react'

/** A value that changes at most once in some milliseconds: a stream has hundreds of parts a second. */
export function useThrottled<Value>(value: Value, pauseMs: number): Value {
  const [shown, setShown] = useState(value)
  const shownAt = useRef(-Infinity)
  useEffect(() => {
    const timer = setTimeout(
      () => {
        shownAt.current = performance.now()
        setShown(value)
      },
      Math.max(0, shownAt.current + pauseMs - performance.now()),
    )
    return () => clearTimeout(timer)
  }, [value, pauseMs])
  return shown
}
