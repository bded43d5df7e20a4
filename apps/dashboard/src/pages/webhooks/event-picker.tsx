import { type ReactNode, useEffect, useRef } from 'react'
import { eventGroups, eventGroup } from '../../events/event-types.ts'
import { includesGroup, includesType, selectableTypes, toggleGroup, toggleType } from './event-selection.ts'

export interface EventPickerProps {
  readonly patterns: readonly string[]
  /** The reason why the selection was rejected. */
  readonly error: string | undefined
  onChange(patterns: readonly string[]): void
}

/** Selects all events, groups, or single types. */
export function EventPicker({ patterns, error, onChange }: EventPickerProps) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1.5 flex w-full items-baseline text-sm font-medium">Events</legend>
      <div className="max-h-72 overflow-y-auto rounded-lg border border-line-strong bg-surface">
        <Checkbox
          className="border-b border-line px-3 py-2 font-medium"
          checked={patterns.includes('*')}
          mixed={patterns.length > 0}
          onChange={() => onChange(patterns.includes('*') ? [] : ['*'])}
        >
          All events, also those of future types
        </Checkbox>
        {eventGroups.map((group) => (
          <div key={group} className="border-b border-line py-1 last:border-0">
            <Checkbox
              className="px-3 py-1 font-medium"
              checked={includesGroup(patterns, group)}
              mixed={patterns.some((pattern) => eventGroup(pattern) === group)}
              onChange={() => onChange(toggleGroup(patterns, group))}
            >
              <code className="font-mono text-xs">{group}</code>
            </Checkbox>
            {selectableTypes
              .filter(({ type }) => eventGroup(type) === group)
              .map(({ type, when }) => (
                <Checkbox
                  key={type}
                  className="py-1 pr-3 pl-9"
                  checked={includesType(patterns, type)}
                  onChange={() => onChange(toggleType(patterns, type))}
                >
                  <code className="font-mono text-xs">{type}</code>
                  <span className="block text-xs text-muted">{when.replaceAll('`', '')}</span>
                </Checkbox>
              ))}
          </div>
        ))}
      </div>
      {error !== undefined && <p className="text-xs text-danger">Events: {error}</p>}
    </fieldset>
  )
}

interface CheckboxProps {
  readonly checked: boolean
  /** Shows that a part is selected, unless all is. */
  readonly mixed?: boolean | undefined
  readonly className: string
  readonly children: ReactNode
  onChange(): void
}

function Checkbox({ checked, mixed = false, className, children, onChange }: CheckboxProps) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (input.current) input.current.indeterminate = mixed && !checked
  }, [mixed, checked])
  return (
    <label className={`flex items-start gap-2.5 text-sm hover:bg-hover/60 ${className}`}>
      <input
        ref={input}
        type="checkbox"
        checked={checked}
        onChange={onChange}
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      <span>{children}</span>
    </label>
  )
}
