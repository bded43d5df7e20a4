import { classNames } from './class-names.ts'
import { ArrowDown, ArrowUp } from './icons.tsx'
import type { Sort } from './sort.ts'

export interface SortButtonProps {
  readonly column: { readonly id: string; readonly header: string; readonly align?: 'start' | 'end' | undefined }
  readonly sort: Sort | undefined
  onChange(sort: Sort): void
}

/** The header of a column that sorts its table: numbers from the largest, texts from A, then the other way around. */
export function SortButton({ column: { id, header, align = 'start' }, sort, onChange }: SortButtonProps) {
  const isChosen = sort?.column === id
  const descending = isChosen ? !sort.descending : align === 'end'
  const Icon = isChosen && !sort.descending ? ArrowUp : ArrowDown
  return (
    <button
      type="button"
      onClick={() => onChange({ column: id, descending })}
      className={classNames(
        'group inline-flex items-center gap-1 rounded-sm hover:text-fg',
        align === 'end' && 'flex-row-reverse',
        isChosen && 'text-fg',
      )}
    >
      {header}
      <Icon
        aria-hidden
        className={classNames('size-3', !isChosen && 'opacity-0 group-hover:opacity-60 group-focus-visible:opacity-60')}
      />
    </button>
  )
}
