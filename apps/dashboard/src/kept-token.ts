/** A token that came in the fragment of a link, until the user has logged in or signed up. */
export interface KeptToken {
  /** Takes the token out of the URL, and keeps it in this tab. */
  take(): void
  get(): string | null
  forget(): void
}

/** @param purpose the name of the token in the fragment, such as `invitation` */
export function keptToken(purpose: string): KeptToken {
  const prefix = `#${purpose}=`
  const storageKey = `fairlead-${purpose}`
  let kept = recallKept(storageKey)
  function keep(token: string | null): void {
    kept = token
    try {
      if (token === null) sessionStorage.removeItem(storageKey)
      else sessionStorage.setItem(storageKey, token)
    } catch {
      // The page itself keeps it.
    }
  }
  return {
    take() {
      if (!location.hash.startsWith(prefix)) return
      keep(location.hash.slice(prefix.length))
      history.replaceState(history.state, '', location.pathname + location.search)
    },
    get: () => kept,
    forget: () => keep(null),
  }
}

function recallKept(storageKey: string): string | null {
  try {
    return sessionStorage.getItem(storageKey)
  } catch {
    return null
  }
}
