import { Combobox as Base } from '@base-ui/react/combobox'
import { Check, ChevronsUpDown } from './icons.tsx'
import { usePopupContainer } from './popup-container.tsx'
import { type SelectOption, type SelectProps, triggerClass } from './select-props.ts'

/** A select with many options, which are found by typing. */
export function SearchableSelect<Value extends string>(props: SelectProps<Value>) {
  const { label, showLabel = false, value, options, id, wide = false, disabled = false, onChange } = props
  const container = usePopupContainer()
  return (
    <Base.Root
      autoHighlight
      items={options}
      value={options.find((option) => option.value === value) ?? null}
      disabled={disabled}
      onValueChange={(next: SelectOption<Value> | null) => next !== null && onChange(next.value)}
    >
      <Base.Trigger id={id} aria-label={label} className={triggerClass(wide)}>
        <span className="truncate">
          {showLabel && <span className="text-muted">{label}: </span>}
          <Base.Value />
        </span>
        <Base.Icon>
          <ChevronsUpDown aria-hidden className="size-3.5 text-subtle" />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal container={container}>
        <Base.Positioner className="z-50" sideOffset={4} align="start">
          <Base.Popup
            aria-label={label}
            className="flex max-h-[min(24rem,var(--available-height))] w-max max-w-(--available-width) min-w-56 flex-col rounded-lg border border-line bg-raised shadow-lg outline-none"
          >
            <Base.Input
              aria-label={`Search: ${label}`}
              placeholder="Search"
              className="h-9 shrink-0 border-b border-line bg-transparent px-3 text-sm outline-none"
            />
            <Base.Empty className="text-sm text-muted not-empty:p-3">Nothing matches.</Base.Empty>
            <Base.List aria-label={label} className="min-h-0 overflow-y-auto p-1 data-empty:p-0">
              {(option: SelectOption<Value>) => (
                <Base.Item
                  key={option.value}
                  value={option}
                  className="flex h-8 cursor-default items-center gap-2 rounded-md pr-3 pl-2 text-sm outline-none data-highlighted:bg-hover"
                >
                  <span className="flex w-4 shrink-0 justify-center">
                    <Base.ItemIndicator>
                      <Check aria-hidden className="size-3.5" />
                    </Base.ItemIndicator>
                  </span>
                  <span className="truncate">{option.label}</span>
                </Base.Item>
              )}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
