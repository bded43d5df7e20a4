import { useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { Button } from './button.tsx'
import { ChevronLeft, ChevronRight } from './icons.tsx'

export interface PagingProps {
  /** `meta.page` of the response. */
  readonly page: { readonly next_cursor: string | null; readonly has_more: boolean } | undefined
  /** The name of the filter that holds the cursor. Default: `cursor`. */
  readonly cursor?: string | undefined
}

/** Moves through a list that the service pages. The cursor is one of the filters in the URL. */
export function Paging({ page, cursor: name = 'cursor' }: PagingProps) {
  const navigate = useNavigate()
  const router = useRouter()
  const { search, state } = useLocation()
  const cursor = (search as Readonly<Record<string, unknown>>)[name]
  if (cursor === undefined && !page?.has_more) return null

  const goTo = (next: string | undefined) =>
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, [name]: next }),
      state: (before) => ({ ...before, paged: next !== undefined }),
    })
  // A cursor points forward only. The page before is the one in the history, unless the URL was opened directly.
  const goBack = () => ('paged' in state && state.paged ? router.history.back() : goTo(undefined))

  return (
    <nav aria-label="Pages of the list" className="flex justify-end gap-2 border-t border-line px-3 py-2">
      <Button size="sm" disabled={cursor === undefined} onClick={goBack}>
        <ChevronLeft aria-hidden className="size-3.5" />
        Previous
      </Button>
      <Button size="sm" disabled={!page?.has_more} onClick={() => goTo(page?.next_cursor ?? undefined)}>
        Next
        <ChevronRight aria-hidden className="size-3.5" />
      </Button>
    </nav>
  )
}
