import { Dialog } from '@base-ui/react/dialog'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { classNames } from '../components/class-names.ts'
import { BookOpen, type IconComponent, LogOut, Monitor, Moon, Search, Sun } from '../components/icons.tsx'
import { usePopupContainer } from '../components/popup-container.tsx'
import { serviceUrl } from '../home.ts'
import { session } from '../session/browser-session.ts'
import { onOpenCommandPalette } from './command-palette-state.ts'
import { setTheme } from './theme.ts'
import { useVisiblePages } from './visible-pages.ts'

interface Command {
  readonly label: string
  readonly hint: string
  readonly icon: IconComponent
  run(): void
}

/** A list of pages and actions that is searched by typing. */
export function CommandPalette() {
  const [open, setOpen] = useState(false)
  const container = usePopupContainer()
  useEffect(() => onOpenCommandPalette(() => setOpen(true)), [])
  return (
    <Dialog.Root open={open} onOpenChange={(next) => setOpen(next)}>
      <Dialog.Portal container={container}>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-backdrop" />
        <Dialog.Popup
          aria-label="Command palette"
          className="fixed top-[15vh] left-1/2 z-50 w-[calc(100vw-2rem)] max-w-lg -translate-x-1/2 overflow-hidden rounded-xl border border-line bg-raised shadow-lg outline-none"
        >
          <Commands onDone={() => setOpen(false)} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Commands({ onDone }: { onDone(): void }) {
  const [query, setQuery] = useState('')
  const [chosen, setChosen] = useState(0)
  const listId = useId()
  const list = useRef<HTMLUListElement>(null)
  const words = query.toLowerCase().split(/\s+/)
  const found = useCommands().filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))

  function run(command: Command | undefined) {
    if (!command) return
    onDone()
    command.run()
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && found.length > 0) {
      const next = (chosen + step + found.length) % found.length
      setChosen(next)
      list.current?.children[next]?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter') run(found[chosen])
    else return
    event.preventDefault()
  }

  return (
    <>
      <div className="flex items-center gap-2.5 border-b border-line px-4">
        <Search aria-hidden className="size-4 text-subtle" />
        <input
          role="combobox"
          aria-expanded
          aria-controls={listId}
          aria-activedescendant={found[chosen] && `${listId}-${chosen}`}
          aria-label="Search pages and actions"
          placeholder="Search pages and actions"
          value={query}
          onChange={(event) => {
            setQuery(event.target.value)
            setChosen(0)
          }}
          onKeyDown={onKeyDown}
          className="h-12 flex-1 bg-transparent text-base outline-none"
        />
      </div>
      <ul
        ref={list}
        id={listId}
        role="listbox"
        aria-label="Pages and actions"
        className="max-h-80 overflow-y-auto p-1.5"
      >
        {found.map((command, index) => (
          <li
            key={command.label}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === chosen}
            onClick={() => run(command)}
            onMouseMove={() => setChosen(index)}
            className={classNames(
              'flex h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 text-sm',
              index === chosen && 'bg-hover',
            )}
          >
            <command.icon aria-hidden className="size-4 text-muted" />
            {command.label}
            <span className="ml-auto text-xs text-muted">{command.hint}</span>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="px-4 pb-5 text-center text-sm text-muted">Nothing matches “{query}”.</p>}
    </>
  )
}

function useCommands(): readonly Command[] {
  const navigate = useNavigate()
  const pages = useVisiblePages().map(({ title, icon, section, path }) => ({
    label: title,
    hint: section,
    icon,
    run: () => void navigate({ to: path }),
  }))
  return [
    ...pages,
    { label: 'Light theme', hint: 'Theme', icon: Sun, run: () => setTheme('light') },
    { label: 'Dark theme', hint: 'Theme', icon: Moon, run: () => setTheme('dark') },
    { label: 'System theme', hint: 'Theme', icon: Monitor, run: () => setTheme('system') },
    {
      label: 'API reference',
      hint: 'Opens a tab',
      icon: BookOpen,
      run: () => void window.open(`${serviceUrl}/docs`, '_blank', 'noopener'),
    },
    { label: 'Log out', hint: 'Account', icon: LogOut, run: () => void session.signOut().catch(() => {}) },
  ]
}
