import { useEffect, useState } from 'react'
import { inputClass } from './field.tsx'
import { Search } from './icons.tsx'

export interface SearchFieldProps {
  readonly label: string
  readonly value: string
  /** Called when the typing pauses. */
  onChange(value: string): void
}

const pauseMs = 200

export function SearchField({ label, value, onChange }: SearchFieldProps) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (text === value) return undefined
    const timer = setTimeout(() => onChange(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text, value, onChange])
  return (
    <div className="relative w-full sm:w-64">
      <Search aria-hidden className="absolute top-2 left-2.5 size-4 text-subtle" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className={`${inputClass} pl-8`}
      />
    </div>
  )
}
