/** What a router needs to know of the call that it serves. */
export interface RoutedCall {
  readonly requestId: string
  readonly signal: AbortSignal
  /** Who asks: an account keeps to its target where a route goes by weights. Default: nobody who is known. */
  readonly caller?: { readonly kind: string; readonly userId?: string }
  /** When it ends, in milliseconds since the epoch, where it began before. Default: as its route says, from now on. */
  readonly endAt?: number
  /** How many attempts were made for it before. Default: none. */
  readonly attemptsBefore?: number
  /** Takes note of who was asked last, for the answer's meta. */
  note(facts: { readonly provider: string; readonly attempts: number }): void
}
