import { asyncProperty, array, assert, constantFrom, float, json, property, record, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { entityTypes, sentimentLabels } from '../provider.ts'
import { analysisTasks } from '../model.ts'
import { providerAnswers } from '../ask-provider.ts'
import { placeEntities } from './place-entities.ts'
import { readAnalysis } from './read-analysis.ts'
import { settleAnalysis } from './read-analysis.ts'

const share = float({ min: 0, max: 1, noNaN: true })
const anyText = string({ unit: 'binary' })

/** What a model may say in the right form, in whatever order and however odd. */
const analyses = record({
  sentiment: record({ score: share, label: constantFrom('positive', 'neutral') }),
  entities: array(record({ text: anyText, type: constantFrom(...entityTypes), confidence: share })),
  keywords: array(record({ text: anyText, score: share })),
})

describe('readAnalysis', () => {
  test('reads whatever is said, or says what is wrong with it', () => {
    assert(
      property(json(), string(), (answer, around) => {
        for (const content of [answer, around + answer, answer.slice(1), around]) {
          const read = readAnalysis(content, analysisTasks)
          expect('analysis' in read || read.faults.length > 0).toBe(true)
        }
      }),
    )
  })

  test('gives what callers are promised, whatever stands in the right form', async () => {
    await assert(
      asyncProperty(analyses, anyText, async (said, text) => {
        const read = readAnalysis(JSON.stringify(said), analysisTasks)
        if (!('analysis' in read)) return
        const { analysis } = await settleAnalysis({ text: text.toWellFormed(), language: 'en' }, read, [])
        expect(() => providerAnswers.analysis.parse({ analysis })).not.toThrow()
        expect(analysis.keywords?.length).toBeLessThanOrEqual(20)
        const scores = analysis.keywords?.map(({ score }) => score) ?? []
        expect(scores).toEqual(scores.toSorted((one, other) => other - one))
      }),
    )
  })

  test.each(sentimentLabels)('takes %s with a score of nothing', (label) => {
    const content = JSON.stringify({ sentiment: { score: 0, label } })
    expect(readAnalysis(content, ['sentiment'])).toMatchObject({ analysis: { sentiment: { score: 0, label } } })
  })

  test.each(['<think>', ''])('passes over what a model thinks aloud first, begun with "%s"', (begin) => {
    const thoughts = `${begin}The form is {"sentiment": …}.</think>\n`
    const content = `${thoughts}{"sentiment": {"score": 0, "label": "neutral"}}`
    expect(readAnalysis(content, ['sentiment'])).toMatchObject({ analysis: { sentiment: { score: 0 } } })
  })

  test.each(['', '```json\n'])('takes no name in an answer for the end of thoughts, after "%s"', (begin) => {
    const content = `${begin}{"keywords": [{"text": "</think>", "score": 1}]}`
    expect(readAnalysis(content, ['keywords'])).toMatchObject({ analysis: { keywords: [{ text: '</think>' }] } })
  })

  test('takes no name that is a book', async () => {
    const content = JSON.stringify({ keywords: [{ text: 'a'.repeat(2_001), score: 1 }] })
    expect(readAnalysis(content, ['keywords'])).toMatchObject({
      faults: [expect.stringMatching(/^keywords\.0\.text: /)],
    })
  })

  test('reads no more of a list than was asked for', async () => {
    const entities = Array.from({ length: 130 }, () => ({ text: 'Ada', type: 'PERSON', confidence: 1 }))
    const read = readAnalysis(JSON.stringify({ entities, keywords: [] }), ['entities', 'keywords'])
    expect(read).toMatchObject({ analysis: { entities: expect.objectContaining({ length: 100 }) }, unread: 30 })
    const endless = `{"keywords":[${'1,'.repeat(90_000)}1]}`
    expect(readAnalysis(endless, ['keywords'])).toMatchObject({ faults: { length: 10 } })
  })
})

describe('placed entities', async () => {
  test('stand in the text, and the others are counted', async () => {
    const words = array(constantFrom('Ada', 'ada', 'Rome', 'İ', '東京', ' ', '\n', 'a', 'Parisian', 'Paris'))
    await assert(
      asyncProperty(words, words, async (inText, named) => {
        const text = inText.join('')
        const found = await placeEntities(
          text,
          named.map((name) => ({ text: name, type: 'OTHER', confidence: 1 })),
        )
        for (const entity of found.entities) expect(text).toContain(entity.text)
        const folded = new Set(named.map((name) => name.toLowerCase().replace('\n', ' ')))
        expect(found.entities.length + found.absent).toBe(folded.size)
      }),
    )
  })
})
