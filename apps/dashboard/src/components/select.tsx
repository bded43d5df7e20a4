import { SearchableSelect } from './searchable-select.tsx'
import type { SelectProps } from './select-props.ts'
import { ShortSelect } from './short-select.tsx'

/** With more options, a search is quicker than a look. */
const maxWithoutSearch = 12

/** A choice among options. Many of them can be searched. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  return props.options.length > maxWithoutSearch ? <SearchableSelect {...props} /> : <ShortSelect {...props} />
}
