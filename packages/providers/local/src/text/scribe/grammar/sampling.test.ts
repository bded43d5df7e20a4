import { describe, expect, test } from 'vitest'
import { distribution, sample } from './sampling.ts'
import { seededRandom } from './seeded-random.ts'

const logits = [2, 1, 0.5, 0, -1]
const entropy = (chances: readonly number[]) =>
  -chances.reduce((sum, chance) => sum + (chance > 0 ? chance * Math.log2(chance) : 0), 0)

describe('distribution', () => {
  test('distribution is certain of the likeliest option at temperature 0', () => {
    expect(distribution(logits, { temperature: 0, topP: 1 })).toEqual([1, 0, 0, 0, 0])
  })

  test('distribution is the softmax of the logits at temperature 1', () => {
    const total = logits.reduce((sum, logit) => sum + Math.exp(logit), 0)
    const chances = distribution(logits, { temperature: 1, topP: 1 })
    chances.forEach((chance, index) => expect(chance).toBeCloseTo(Math.exp(logits[index]!) / total, 12))
  })

  test('distribution spreads out as the temperature rises', () => {
    const entropies = [0, 0.3, 0.7, 1, 1.5, 2].map((temperature) =>
      entropy(distribution(logits, { temperature, topP: 1 })),
    )
    expect(entropies).toEqual(entropies.toSorted((a, b) => a - b))
    expect(new Set(entropies).size).toBe(entropies.length)
  })

  test('distribution keeps the likeliest options that together reach top_p', () => {
    const chances = distribution(logits, { temperature: 1, topP: 0.75 })
    expect(chances.map((chance) => chance > 0)).toEqual([true, true, false, false, false])
    expect(chances.reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1, 12)
  })

  test('distribution keeps one option at top_p 0', () => {
    expect(distribution(logits, { temperature: 2, topP: 0 })).toEqual([1, 0, 0, 0, 0])
  })
})

describe('sample', () => {
  const sampling = { temperature: 1, topP: 1, frequencyPenalty: 0, presencePenalty: 0 }

  test('sample draws as often as the distribution says', () => {
    const random = seededRandom(7)
    const counts = logits.map(() => 0)
    for (let draw = 0; draw < 20_000; draw++) counts[sample(logits, { ...sampling, random })]!++
    distribution(logits, sampling).forEach((chance, index) => expect(counts[index]! / 20_000).toBeCloseTo(chance, 1.7))
  })

  test('sample asks for no random number at temperature 0', () => {
    const random = () => expect.unreachable()
    expect(sample(logits, { ...sampling, temperature: 0, random })).toBe(0)
  })
})

describe('seededRandom', () => {
  test('seededRandom repeats with its seed and differs from its neighbor', () => {
    const draws = (seed: number) => Array.from({ length: 5 }, seededRandom(seed))
    expect(draws(42)).toEqual(draws(42))
    expect(draws(42)).not.toEqual(draws(43))
    expect(draws(2 ** 40)).not.toEqual(draws(0))
  })

  test('seededRandom is even over seeds: the first draw of neighboring seeds is spread out', () => {
    const mean = Array.from({ length: 2_000 }, (_, seed) => seededRandom(seed)()).reduce((a, b) => a + b) / 2_000
    expect(mean).toBeCloseTo(0.5, 1)
  })
})
