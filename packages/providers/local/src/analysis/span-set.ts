interface Span {
  readonly start: number
  readonly end: number
}

/** Spans that don't overlap. Looking one up takes the logarithm of their number, so that long texts stay cheap. */
export class SpanSet {
  readonly #spans: Span[] = []

  /** Takes the span in, unless it overlaps one that is there already. */
  add(span: Span): boolean {
    const index = this.#indexOf(span.start)
    if (this.#overlapsAt(index, span)) return false
    this.#spans.splice(index, 0, span)
    return true
  }

  overlaps(span: Span): boolean {
    return this.#overlapsAt(this.#indexOf(span.start), span)
  }

  #overlapsAt(index: number, span: Span): boolean {
    const before = this.#spans[index - 1]
    const after = this.#spans[index]
    return (before !== undefined && before.end > span.start) || (after !== undefined && after.start < span.end)
  }

  /** The index of the first span that starts at the offset or behind it. */
  #indexOf(offset: number): number {
    let low = 0
    let high = this.#spans.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#spans[middle]!.start < offset) low = middle + 1
      else high = middle
    }
    return low
  }
}
