import type { Mode } from './playground-state.ts'

const maxPrompts = 8

const keyOf = (mode: Mode) => `fairlead-prompts-${mode}`

/** The last prompts of this tab, the latest first. */
export function recentPrompts(mode: Mode): readonly string[] {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(mode)) ?? '[]') as readonly string[]
  } catch {
    return []
  }
}

export function rememberPrompt(mode: Mode, prompt: string): void {
  const prompts = [prompt, ...recentPrompts(mode).filter((other) => other !== prompt)].slice(0, maxPrompts)
  try {
    sessionStorage.setItem(keyOf(mode), JSON.stringify(prompts))
  } catch {
    // The storage is full or forbidden: the list is only a convenience.
  }
}
