import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { inputClass } from './field.tsx'

export interface LongListProps<Item> {
  /** A name for the items, such as `keys`. */
  readonly label: string
  /** The most important one first. */
  readonly items: readonly Item[]
  /** The text in which the search looks. */
  textOf(item: Item): string
  /** The look of the list. */
  readonly className?: string | undefined
  /** An `li` with a key. */
  children(item: Item): ReactNode
}

const maxItems = 5

/** The first five items, with a search and a button for the others. */
export function LongList<Item>({ label, items, textOf, className, children }: LongListProps<Item>) {
  const [search, setSearch] = useState('')
  const [all, setAll] = useState(false)
  const text = search.trim().toLowerCase()
  const found = text === '' ? items : items.filter((item) => textOf(item).toLowerCase().includes(text))
  const shown = all ? found : found.slice(0, maxItems)
  return (
    <>
      {items.length > maxItems && (
        <input
          type="search"
          aria-label={`Search ${label}`}
          placeholder={`Search ${items.length} ${label}`}
          value={search}
          onChange={({ target }) => setSearch(target.value)}
          className={`${inputClass} mb-3 sm:max-w-64`}
        />
      )}
      <ul className={className}>{shown.map(children)}</ul>
      {found.length === 0 && text !== '' && <p className="text-sm text-muted">Nothing matches “{search}”.</p>}
      {found.length > maxItems && (
        <Button size="sm" variant="ghost" className="mt-2 -ml-2" onClick={() => setAll(!all)}>
          {all ? 'Show fewer' : `Show all ${found.length}`}
        </Button>
      )}
    </>
  )
}
