/** Words further apart than this don't lend each other weight. */
const window = 4
const damping = 0.85
const maxRounds = 25
const settled = 1e-4

/** Places of words in a text, cut into stretches that nothing crosses. */
export type Stretches = readonly (readonly (string | undefined)[])[]

/** Ranks words by the company they keep (Mihalcea and Tarau, 2004); undefined places hold words that don't count. */
export function textRank(stretches: Stretches): ReadonlyMap<string, number> {
  const graph = cooccurrences(stretches)
  const outgoing = new Map([...graph].map(([word, edges]) => [word, sum(edges.values())]))
  let ranks = new Map([...graph.keys()].map((word) => [word, 1]))
  for (let round = 0; round < maxRounds; round += 1) {
    const next = new Map<string, number>()
    let change = 0
    for (const [word, edges] of graph) {
      let received = 0
      for (const [other, weight] of edges) received += (ranks.get(other)! * weight) / outgoing.get(other)!
      const rank = 1 - damping + damping * received
      change = Math.max(change, Math.abs(rank - ranks.get(word)!))
      next.set(word, rank)
    }
    ranks = next
    if (change < settled) break
  }
  return ranks
}

function cooccurrences(stretches: Stretches): Map<string, Map<string, number>> {
  const graph = new Map<string, Map<string, number>>()
  const edgesOf = (word: string) => {
    const edges = graph.get(word) ?? new Map<string, number>()
    graph.set(word, edges)
    return edges
  }
  for (const stretch of stretches) {
    stretch.forEach((word, index) => {
      if (word === undefined) return
      const edges = edgesOf(word)
      for (let distance = 1; distance < window && index + distance < stretch.length; distance += 1) {
        const other = stretch[index + distance]
        if (other === undefined || other === word) continue
        edges.set(other, (edges.get(other) ?? 0) + 1 / distance)
        const back = edgesOf(other)
        back.set(word, (back.get(word) ?? 0) + 1 / distance)
      }
    })
  }
  return graph
}

function sum(values: Iterable<number>): number {
  let total = 0
  for (const value of values) total += value
  return total
}
