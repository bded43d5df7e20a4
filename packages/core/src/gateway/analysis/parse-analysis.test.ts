import { asyncProperty, array, assert, constantFrom, float, json, property, record, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { entityTypes, sentimentLabels } from '../provider.ts'
import { analysisTasks } from '../model.ts'
import { providerResponses } from '../provider-responses.ts'
import { anyCharacter } from '../../testing/any-character.ts'
import { locateEntities } from './locate-entities.ts'
import { finishAnalysis, parseAnalysis } from './parse-analysis.ts'

const between0And1 = float({ min: 0, max: 1, noNaN: true })
const anyText = string({ unit: anyCharacter })

/** Valid but unusual analyses. */
const analyses = record({
  sentiment: record({ score: between0And1, label: constantFrom('positive', 'neutral') }),
  entities: array(record({ text: anyText, type: constantFrom(...entityTypes), confidence: between0And1 })),
  keywords: array(record({ text: anyText, score: between0And1 })),
})

describe('parseAnalysis', () => {
  test('parseAnalysis returns an analysis or issues for any response', () => {
    assert(
      property(json(), string(), (answer, around) => {
        for (const content of [answer, around + answer, answer.slice(1), around]) {
          const parsed = parseAnalysis(content, analysisTasks)
          expect('analysis' in parsed || parsed.issues.length > 0).toBe(true)
        }
      }),
    )
  })

  test('parseAnalysis returns a valid analysis for any well-formed response', async () => {
    await assert(
      asyncProperty(analyses, anyText, async (analysisOfModel, text) => {
        const parsed = parseAnalysis(JSON.stringify(analysisOfModel), analysisTasks)
        if (!('analysis' in parsed)) return
        const { analysis } = await finishAnalysis({ text: text.toWellFormed(), language: 'en' }, parsed, [])
        expect(() => providerResponses.analysis.parse({ analysis })).not.toThrow()
        expect(analysis.keywords?.length).toBeLessThanOrEqual(20)
        const scores = analysis.keywords?.map(({ score }) => score) ?? []
        expect(scores).toEqual(scores.toSorted((one, other) => other - one))
      }),
    )
  })

  test.each(sentimentLabels)('parseAnalysis accepts the label %s with a score of 0', (label) => {
    const content = JSON.stringify({ sentiment: { score: 0, label } })
    expect(parseAnalysis(content, ['sentiment'])).toMatchObject({ analysis: { sentiment: { score: 0, label } } })
  })

  test.each(['<think>', ''])('parseAnalysis ignores reasoning before the response that begins with "%s"', (begin) => {
    const reasoning = `${begin}The form is {"sentiment": …}.</think>\n`
    const content = `${reasoning}{"sentiment": {"score": 0, "label": "neutral"}}`
    expect(parseAnalysis(content, ['sentiment'])).toMatchObject({ analysis: { sentiment: { score: 0 } } })
  })

  test.each(['', '```json\n'])(
    'parseAnalysis does not mistake a keyword for the end of reasoning after "%s"',
    (begin) => {
      const content = `${begin}{"keywords": [{"text": "</think>", "score": 1}]}`
      expect(parseAnalysis(content, ['keywords'])).toMatchObject({ analysis: { keywords: [{ text: '</think>' }] } })
    },
  )

  test('parseAnalysis rejects a keyword of more than 2,000 characters', async () => {
    const content = JSON.stringify({ keywords: [{ text: 'a'.repeat(2_001), score: 1 }] })
    expect(parseAnalysis(content, ['keywords'])).toMatchObject({
      issues: [expect.stringMatching(/^keywords\.0\.text: /)],
    })
  })

  test('parseAnalysis parses at most 100 entries of a list', async () => {
    const entities = Array.from({ length: 130 }, () => ({ text: 'Ada', type: 'PERSON', confidence: 1 }))
    const parsed = parseAnalysis(JSON.stringify({ entities, keywords: [] }), ['entities', 'keywords'])
    expect(parsed).toMatchObject({ analysis: { entities: expect.objectContaining({ length: 100 }) }, dropped: 30 })
    const endless = `{"keywords":[${'1,'.repeat(90_000)}1]}`
    expect(parseAnalysis(endless, ['keywords'])).toMatchObject({ issues: { length: 10 } })
  })
})

describe('locateEntities', () => {
  test('locateEntities returns entities that the text contains and counts the others', async () => {
    const words = array(constantFrom('Ada', 'ada', 'Rome', 'İ', '東京', ' ', '\n', 'a', 'Parisian', 'Paris'))
    await assert(
      asyncProperty(words, words, async (inText, named) => {
        const text = inText.join('')
        const found = await locateEntities(
          text,
          named.map((name) => ({ text: name, type: 'OTHER', confidence: 1 })),
        )
        for (const entity of found.entities) expect(text).toContain(entity.text)
        const folded = new Set(named.map((name) => name.toLowerCase().replace('\n', ' ')))
        expect(found.entities.length + found.missing).toBe(folded.size)
      }),
    )
  })
})
