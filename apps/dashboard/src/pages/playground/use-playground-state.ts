import { useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'
import { playgroundRoute } from './page.ts'
import { type Draft, emptyState, fromSearch, type PlaygroundState, type Search, toSearch } from './playground-state.ts'

export interface PlaygroundControl {
  readonly state: PlaygroundState
  /** The input of the person in the mode that is shown. */
  readonly draft: Draft
  update(changes: Partial<Omit<PlaygroundState, 'drafts'>>): void
  updateDraft(changes: Partial<Draft>): void
}

/** Browsers limit how often a page replaces its URL. */
const pauseMs = 250

/** The state of the playground. The URL follows it, and it follows the URL. */
export function usePlaygroundState(): PlaygroundControl {
  const search = playgroundRoute.useSearch() as Search
  const navigate = useNavigate()
  const [state, setState] = useState(() => fromSearch(search, emptyState))
  const inUrl = toText(search)
  // The filters as this page knows them: others come from a link or from the history.
  const known = useRef(inUrl)

  useEffect(() => {
    if (inUrl === known.current) return
    known.current = inUrl
    setState((before) => fromSearch(search, before))
  }, [inUrl, search])

  useEffect(() => {
    const next = toSearch(state)
    if (toText(next) === known.current) return undefined
    const timer = setTimeout(() => {
      known.current = toText(next)
      void navigate({ to: '.', search: () => next, replace: true, resetScroll: false })
    }, pauseMs)
    return () => clearTimeout(timer)
  }, [state, navigate])

  const update = useCallback<PlaygroundControl['update']>(
    (changes) => setState((before) => ({ ...before, ...changes })),
    [],
  )
  const updateDraft = useCallback<PlaygroundControl['updateDraft']>(
    (changes) =>
      setState((before) => ({
        ...before,
        drafts: { ...before.drafts, [before.mode]: { ...before.drafts[before.mode], ...changes } },
      })),
    [],
  )
  return { state, draft: state.drafts[state.mode], update, updateDraft }
}

function toText(search: Search): string {
  return JSON.stringify(Object.entries(search).sort())
}
