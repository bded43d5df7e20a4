export interface CheckboxProps {
  readonly label: string
  readonly hint?: string | undefined
  readonly checked: boolean
  readonly disabled?: boolean | undefined
  onChange(checked: boolean): void
}

export function Checkbox({ label, hint, checked, disabled = false, onChange }: CheckboxProps) {
  return (
    <label className="flex cursor-pointer items-start gap-2">
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      <span>
        <span className="block text-sm font-medium">{label}</span>
        {hint && <span className="block text-xs text-muted">{hint}</span>}
      </span>
    </label>
  )
}
