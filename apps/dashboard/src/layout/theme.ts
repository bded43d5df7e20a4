import { useSyncExternalStore } from 'react'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const storageKey = 'fairlead-theme'
const listeners = new Set<() => void>()

/** The remembered theme. Storage can be disabled. */
function readTheme(): Theme {
  try {
    const stored = localStorage.getItem(storageKey)
    return themes.find((theme) => theme === stored) ?? 'system'
  } catch {
    return 'system'
  }
}

let current = readTheme()

export function setTheme(theme: Theme): void {
  current = theme
  applyTheme()
  try {
    localStorage.setItem(storageKey, theme)
  } catch {
    // It then lasts until the page is closed.
  }
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
