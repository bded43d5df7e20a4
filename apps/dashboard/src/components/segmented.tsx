export interface SegmentedProps<Value extends string> {
  readonly label: string
  /** Undefined if something else was chosen. */
  readonly value: Value | undefined
  readonly options: readonly { readonly value: Value; readonly label: string }[]
  readonly onChange: (value: NoInfer<Value>) => void
}

/** A choice among few short options, all visible. */
export function Segmented<Value extends string>({ label, value, options, onChange }: SegmentedProps<Value>) {
  return (
    <div
      role="group"
      aria-label={label}
      className="inline-flex h-8 rounded-md border border-line-strong bg-sunken p-0.5"
    >
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
          className="rounded-sm px-2.5 text-xs font-medium whitespace-nowrap text-muted hover:text-fg aria-pressed:bg-chosen aria-pressed:text-fg aria-pressed:shadow-sm"
        >
          {option.label}
        </button>
      ))}
    </div>
  )
}
