import { Menu as Base } from '@base-ui/react/menu'
import { Link, type LinkOptions } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { Check, type IconComponent } from './icons.tsx'
import { usePopupContainer } from './popup-container.tsx'

export interface MenuItem {
  readonly label: string
  readonly icon?: IconComponent | undefined
  /** Whether it is the chosen one of several, which has a check mark in place of an icon. */
  readonly chosen?: boolean | undefined
  /** Marks an action that removes something. */
  readonly danger?: boolean | undefined
  readonly disabled?: boolean | undefined
  onSelect?: (() => void) | undefined
  /** Another page of the dashboard that the item opens: `linkOptions({ to: '/requests', search: { model } })`. */
  readonly link?: LinkOptions | undefined
}

export interface MenuProps {
  /** The button that opens the menu. */
  readonly trigger: ReactElement
  readonly items: readonly MenuItem[]
  /** Default: `end`. */
  readonly align?: 'start' | 'end' | undefined
  /** Default: `bottom`. */
  readonly side?: 'top' | 'bottom' | undefined
}

export function Menu({ trigger, items, align = 'end', side = 'bottom' }: MenuProps) {
  const container = usePopupContainer()
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal container={container}>
        <Base.Positioner className="z-50" sideOffset={4} align={align} side={side}>
          <Base.Popup className="min-w-44 rounded-lg border border-line bg-raised p-1 shadow-lg outline-none">
            {items.map(({ label, icon: Icon, chosen, danger = false, disabled = false, onSelect, link }) => (
              <Base.Item
                key={label}
                disabled={disabled}
                onClick={onSelect}
                render={link && <Link {...link} />}
                className={`flex h-8 cursor-default items-center gap-2.5 rounded-md px-2 text-sm outline-none data-disabled:opacity-50 data-highlighted:bg-hover ${danger ? 'text-danger' : 'text-fg'}`}
              >
                {Icon && <Icon aria-hidden className="size-4 opacity-70" />}
                {chosen !== undefined && (
                  <span className="size-4">{chosen && <Check aria-label="Chosen" className="size-4" />}</span>
                )}
                {label}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
