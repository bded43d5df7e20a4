import { needsProvider } from '../honest.ts'
import { workingKind } from '../kind.ts'

export const math = workingKind({
  name: 'math',
  asks: /^\W*(?:(?:what(?:'s| is)|how much is|calculate|compute|solve|evaluate|simplify)\b[^a-z]*)?-?[\d.,()]+(?:\s*(?:[-+*/^×÷=%]|plus|minus|times|divided by|to the power of)\s*[\d.,()x]+)+\s*[=?.]*\s*$|\b(?:calculate|compute|solve for|solve the|integrate|differentiate|derivative of|square root of|factori[sz]e|what is \d+ ?%|percent of \d+|prime factors?)\b/i,
  turn: 'first',
  work: () => needsProvider('math'),
})
