import type { Brief } from './brief/brief.ts'
import type { Desk, Kind } from './kind.ts'

const order = { first: 0, usual: 1, last: 2 }

/** Finds the kind that a prompt asks for, if it is one of them. */
export function recognize(brief: Brief, kinds: readonly Kind[], desk: Desk): Kind | undefined {
  const matches = kinds.flatMap((kind) => {
    const found = kind.asks.exec(brief.instruction)
    const fits = found !== null && (kind.fits?.(brief, desk) ?? true)
    return fits ? [{ kind, at: found.index, length: found[0].length, turn: order[kind.turn ?? 'usual'] }] : []
  })
  matches.sort((a, b) => a.turn - b.turn || a.at - b.at || b.length - a.length)
  return matches[0]?.kind
}
