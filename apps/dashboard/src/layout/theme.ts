import { useSyncExternalStore } from 'react'
import { recall, remember } from '../remembered.ts'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const storageKey = 'fairlead-theme'
const listeners = new Set<() => void>()

const stored = recall(storageKey)
let current: Theme = themes.find((theme) => theme === stored) ?? 'system'

export function setTheme(theme: Theme): void {
  current = theme
  applyTheme()
  remember(storageKey, theme)
  for (const listener of listeners) listener()
}

export function useTheme(): Theme {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
  )
}

/** Shows the page in the chosen theme. */
export function applyTheme(): void {
  const { dataset } = document.documentElement
  if (current === 'system') delete dataset['theme']
  else dataset['theme'] = current
}
