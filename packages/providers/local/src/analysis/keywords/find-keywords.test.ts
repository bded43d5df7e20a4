import { describe, expect, test } from 'vitest'
import { findKeywords } from './find-keywords.ts'

const phrases = (text: string) => findKeywords(text).map((keyword) => keyword.text)

describe('findKeywords', () => {
  test('findKeywords finds noun phrases, the best with a score of 1', () => {
    const keywords = findKeywords(
      'The battery plant makes battery cells. The battery plant opened with new battery lines.',
    )
    expect(keywords[0]).toEqual({ text: 'battery plant', score: 1 })
  })

  test('findKeywords orders by falling score', () => {
    const scores = findKeywords(
      'A team of doctors restored the sight of children with gene therapy in a small clinic.',
    ).map(({ score }) => score)
    expect(scores).toEqual([...scores].sort((left, right) => right - left))
    expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true)
  })

  test('findKeywords takes a gerund behind a noun for a noun', () => {
    expect(phrases('We study machine learning and nothing else.')).toContain('machine learning')
  })

  test('findKeywords merges forms of one phrase and keeps the spelling of the text', () => {
    expect(
      phrases('Voting machines failed. The voting machine was old.').filter((text) => /machine/i.test(text)),
    ).toHaveLength(1)
    expect(phrases('They met in Gdańsk.')).toContain('Gdańsk')
  })

  test('findKeywords lists no phrase within another', () => {
    const texts = phrases('Carbon dioxide is a gas. Plants take carbon dioxide from the air; carbon is kept.')
    expect(texts).toContain('carbon dioxide')
    expect(texts).not.toContain('carbon')
  })

  test('findKeywords lists no dates, sums and addresses', () => {
    expect(phrases('On Monday, 3 May we paid $20 million to jo@example.org.')).toEqual([])
  })

  test('findKeywords gives 20 at most', () => {
    const nouns =
      'apple river stone table window garden mountain teacher bottle engine pencil village market bridge forest island kitchen letter mirror needle ocean pocket rabbit saddle ticket'
    expect(
      phrases(
        nouns
          .split(' ')
          .map((noun) => `the ${noun} is here.`)
          .join(' '),
      ),
    ).toHaveLength(20)
  })

  test('findKeywords finds none in a text without words', () => {
    expect(findKeywords('… 12 —')).toEqual([])
  })
})
