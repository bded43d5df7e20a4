const opened = new EventTarget()

/** Opens the command palette from anywhere. */
export function openCommandPalette(): void {
  opened.dispatchEvent(new Event('open'))
}

/** Calls the listener when the palette should open: by its button, or by Ctrl or Cmd and K. Returns a function that stops this. */
export function onOpenCommandPalette(listener: () => void): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    listener()
  }
  opened.addEventListener('open', listener)
  window.addEventListener('keydown', onKey)
  return () => {
    opened.removeEventListener('open', listener)
    window.removeEventListener('keydown', onKey)
  }
}
