import { classNames } from './class-names.ts'

export interface SelectOption<Value extends string> {
  readonly value: Value
  readonly label: string
}

export interface SelectProps<Value extends string> {
  /** Read by screen readers. */
  readonly label: string
  /** Whether the label is shown before the value. Default: false. */
  readonly showLabel?: boolean | undefined
  readonly value: Value
  readonly options: readonly SelectOption<Value>[]
  readonly id?: string | undefined
  /** Default: as wide as its value. */
  readonly wide?: boolean | undefined
  /** Also while options load: an open select would close when there are enough of them for a search. Default: false. */
  readonly disabled?: boolean | undefined
  readonly onChange: (value: NoInfer<Value>) => void
}

/** The look of the button that opens a select. */
export function triggerClass(wide: boolean): string {
  return classNames(
    'inline-flex h-8 max-w-full min-w-0 items-center justify-between gap-2 rounded-md border border-line-strong bg-surface px-2.5 text-sm shadow-sm not-data-disabled:hover:bg-hover data-disabled:opacity-60',
    wide && 'w-full',
  )
}
