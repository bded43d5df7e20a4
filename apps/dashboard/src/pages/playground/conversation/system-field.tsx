import { useId } from 'react'

export interface SystemFieldProps {
  readonly value: string
  /** Why a chosen model does not take it. */
  readonly unavailable: string | undefined
  onChange(value: string): void
}

/** The instructions for all answers. */
export function SystemField({ value, unavailable, onChange }: SystemFieldProps) {
  const id = useId()
  return (
    <div className="rounded-lg border border-line bg-surface shadow-sm focus-within:border-accent">
      <label htmlFor={id} className="block px-4 pt-3 text-sm font-medium">
        System message
      </label>
      <textarea
        id={id}
        rows={1}
        value={value}
        disabled={unavailable !== undefined && value === ''}
        placeholder={unavailable ?? 'Instructions for all answers, such as: Answer in one sentence'}
        onChange={(event) => onChange(event.target.value)}
        className="field-sizing-content max-h-[30dvh] w-full resize-none bg-transparent px-4 pt-1 pb-3 text-base leading-6 outline-none disabled:opacity-70"
      />
    </div>
  )
}
