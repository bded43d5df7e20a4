import { needsProvider } from '../honest.ts'
import { workingKind } from '../kind.ts'

export const facts = workingKind({
  name: 'facts',
  asks: /^\W*(?:please )?compare\b|^\W*(?:who|whom|whose|what|what's|when|where|which|how (?:many|much|far|old|tall|long|big|high|fast|often|do|does|did|can|is|are|to)|why|is|are|was|were|does|did|can|will|do|define|tell me (?:who|when|where|how many))\b|\b(?:explain|tell me|describe)(?: to (?:my )?[\w-]+)? (?:why|how to|how (?:i|you|we|one))\b|\?\s*$/i,
  turn: 'last',
  work: () => needsProvider('facts'),
})
