import { Select as Base } from '@base-ui/react/select'
import { Check, ChevronsUpDown } from './icons.tsx'
import { usePopupContainer } from './popup-container.tsx'
import { type SelectProps, triggerClass } from './select-props.ts'

/** A select whose options are all in sight. */
export function ShortSelect<Value extends string>({
  label,
  showLabel = false,
  value,
  options,
  id,
  wide = false,
  disabled = false,
  onChange,
}: SelectProps<Value>) {
  const container = usePopupContainer()
  return (
    <Base.Root
      items={options}
      value={value}
      disabled={disabled}
      onValueChange={(next) => next !== null && onChange(next)}
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
        <Base.Positioner className="z-50" sideOffset={4} alignItemWithTrigger={false}>
          <Base.Popup className="max-h-(--available-height) min-w-(--anchor-width) overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-lg outline-none">
            <Base.List aria-label={label}>
              {options.map((option) => (
                <Base.Item
                  key={option.value}
                  value={option.value}
                  className="flex h-8 cursor-default items-center gap-2 rounded-md pr-3 pl-2 text-sm outline-none data-highlighted:bg-hover"
                >
                  <span className="flex w-4 justify-center">
                    <Base.ItemIndicator>
                      <Check aria-hidden className="size-3.5" />
                    </Base.ItemIndicator>
                  </span>
                  <Base.ItemText>{option.label}</Base.ItemText>
                </Base.Item>
              ))}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
