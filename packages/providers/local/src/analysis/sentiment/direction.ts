import { fallingWords, risingWords, unwelcomeQuantities, welcomeQuantities } from './quantity-words.ts'

/** How far a verb may stand from the quantity that it moves. */
const reach = 5
const strength = 1.8

/** "Profit rose" and "unemployment fell" are good news, "shares fell" and "rents rose" are bad. */
export function directionValence(words: readonly string[]): number {
  let sum = 0
  words.forEach((word, index) => {
    const worth = welcomeQuantities.has(word) ? 1 : unwelcomeQuantities.has(word) ? -1 : 0
    if (worth !== 0) sum += worth * movement(words, index)
  })
  return Math.max(-1, Math.min(1, sum)) * strength
}

/** Whether the word says nothing by itself, only by the way that it moves. */
export function movable(word: string): boolean {
  return welcomeQuantities.has(word) || unwelcomeQuantities.has(word)
}

/** 1 where the nearest mover goes up, -1 where it goes down, 0 where nothing moves. */
function movement(words: readonly string[], index: number): number {
  for (let distance = 1; distance <= reach; distance += 1) {
    for (const word of [words[index + distance], distance <= 2 ? words[index - distance] : undefined]) {
      if (word === undefined) continue
      if (risingWords.has(word)) return 1
      if (fallingWords.has(word)) return -1
    }
  }
  return 0
}
