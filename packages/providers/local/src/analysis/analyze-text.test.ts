import { analysisTasks } from '@fairlead/core/provider'
import { computingMs } from '@fairlead/testing'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hostileText } from '../testing/hostile-text.ts'
import { anyCharacter } from '../../../../core/src/testing/any-character.ts'
import { analyzeText } from './analyze-text.ts'

const longest = 100_000
const filled = (unit: string) => unit.repeat(Math.ceil(longest / unit.length)).slice(0, longest)

describe('analyzeText', () => {
  test('analyzeText holds exactly the keys of the tasks asked for', async () => {
    expect(
      Object.keys(
        (await analyzeText({ text: 'A fine day.', tasks: ['keywords', 'sentiment'], language: 'en' })).analysis,
      ),
    ).toEqual(['keywords', 'sentiment'])
  })

  test('analyzeText warns of a text that is plainly in another language', async () => {
    const text = 'Der Vertrag wurde gestern in Anwesenheit aller Beteiligten unterschrieben und tritt sofort in Kraft.'
    expect((await analyzeText({ text, tasks: ['sentiment'], language: 'en' })).warnings).toEqual([
      { field: 'language', issue: 'the text looks like German, not English' },
    ])
  })

  test.each(['Gestern!', 'The contract was signed yesterday in the presence of all parties and takes effect at once.'])(
    'analyzeText does not warn of "%s"',
    async (text) => {
      expect(await analyzeText({ text, tasks: ['sentiment'], language: 'en' })).not.toHaveProperty('warnings')
    },
  )

  test('analyzeText returns at most 10,000 entities, and says how many it left out', async () => {
    const answer = await analyzeText({ text: '$1 '.repeat(12_000), tasks: ['entities'], language: 'en' })
    expect(answer.analysis.entities).toHaveLength(10_000)
    expect(answer.warnings).toEqual([
      { field: null, issue: 'the text has too many entities: the last 2000 are left out' },
    ])
  })

  test('analyzeText throws on no text', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1 }),
      fc.string({ unit: anyCharacter, minLength: 1 }),
      fc.stringMatching(/^[A-Z"'([.!?$1:@\n -]{1,80}$/),
      fc.lorem({ maxCount: 20 }),
    )
    await fc.assert(
      fc.asyncProperty(text, async (sample) => {
        const { analysis } = await analyzeText({ text: sample, tasks: analysisTasks, language: 'en' })
        expect(Math.abs(analysis.sentiment!.score)).toBeLessThanOrEqual(1)
        expect(analysis.keywords!.every(({ score }) => score >= 0 && score <= 1)).toBe(true)
      }),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 60), seed: 11 },
    )
  })

  test('analyzeText throws on no hostile text', async () => {
    await fc.assert(
      fc.asyncProperty(hostileText(), async (text) => {
        const { analysis } = await analyzeText({ text, tasks: analysisTasks, language: 'en' })
        for (const entity of analysis.entities!) expect(text).toContain(entity.text)
      }),
      { examples: [['A.'.repeat(100)]], numRuns: Number(process.env['FUZZ_RUNS'] ?? 30), seed: 12 },
    )
  })

  test.each([
    ['one long word', 'a'],
    ['quotation marks', '"'],
    ['capitals', 'A '],
    ['nested brackets', '[('],
    ['emoji', '😀'],
    ['halves of characters', '\ud83d'],
    ['digits and commas', '1,000,'],
    ['names', "John Smith's "],
    ['addresses', 'www.a.b a@a '],
  ])('analyzeText computes for at most five seconds on 100,000 characters of %s', async (_, unit) => {
    const started = computingMs()
    await analyzeText({ text: filled(unit), tasks: analysisTasks, language: 'en' })
    expect(computingMs() - started).toBeLessThan(5_000)
  })
})
