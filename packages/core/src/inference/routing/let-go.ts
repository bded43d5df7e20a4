/** Ends an iterator before its end. Not awaited: one that is deaf may never settle. */
export function letGo(items: AsyncIterator<unknown>): void {
  void (async () => items.return?.())().catch(() => {})
}
