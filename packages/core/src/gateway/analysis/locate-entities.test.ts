import { describe, expect, test } from 'vitest'
import type { Entity } from '../provider.ts'
import { locateEntities } from './locate-entities.ts'
import { computingMs } from '../../runtime/clock.ts'

function named(...texts: readonly string[]): readonly Entity[] {
  return texts.map((text) => ({ text, type: 'OTHER', confidence: 1 }))
}

async function located(text: string, ...texts: readonly string[]): Promise<readonly string[]> {
  return (await locateEntities(text, named(...texts))).entities.map((entity) => entity.text)
}

describe('locateEntities', () => {
  test('locateEntities sorts entities by their position in the text', async () => {
    expect(await located('Ada met Bob in Rome.', 'Rome', 'Bob', 'Ada')).toEqual(['Ada', 'Bob', 'Rome'])
  })

  test('locateEntities prefers whole words to parts of words', async () => {
    expect(await located('Parisians like London and Paris.', 'Paris', 'London')).toEqual(['London', 'Paris'])
  })

  test('locateEntities finds words in scripts without spaces', async () => {
    expect(await located('田中さんは東京に住んでいます。', '東京', '田中')).toEqual(['田中', '東京'])
  })

  test('locateEntities returns the spelling of the text', async () => {
    expect(await located('NASA and the New\nYork Times', 'new york times', 'Nasa')).toEqual(['NASA', 'New\nYork Times'])
    // The lower case of İ has two characters: positions must not shift.
    expect(await located('İİİ loves ANKARA', 'Ankara')).toEqual(['ANKARA'])
  })

  test('locateEntities prefers the same case, then another case, then a part of a word', async () => {
    expect((await locateEntities('You may come in May.', named('May'))).entities).toMatchObject([{ text: 'May' }])
    expect(await located('Parisians say PARIS', 'Paris')).toEqual(['PARIS'])
  })

  test('locateEntities ignores differences in composition and typographic punctuation', async () => {
    const decomposed = 'Jose\u0301 met Jose.'
    expect(await located(decomposed, 'José')).toEqual(['Jose\u0301'])
    expect(await located(decomposed, 'José', 'Jose\u0301')).toHaveLength(1)
    expect(await located('José met Bob.', 'Jose\u0301')).toEqual(['José'])
    expect(await located('O’Brien read “Ulysses” from 1918–20.', '"Ulysses"', "O'Brien", '1918-20')).toEqual([
      'O’Brien',
      '“Ulysses”',
      '1918–20',
    ])
  })

  test('locateEntities does not match a letter without its combining accent', async () => {
    const text = 'Jose\u0301 met Jose.'
    expect(await located(text, 'Jose', 'met')).toEqual(['met', 'Jose'])
  })

  test('locateEntities counts entities that the text does not contain', async () => {
    expect(await locateEntities('Ada met Bob.', named('Eve', 'Ada', 'Mallory'))).toMatchObject({
      entities: [{ text: 'Ada' }],
      missing: 2,
    })
  })

  test('locateEntities returns duplicates once', async () => {
    expect(await located('Ada, Ada and Ada', 'Ada', 'ADA', 'ada')).toHaveLength(1)
  })

  test('locateEntities takes linear time for adversarial texts and names', async () => {
    const halves = (length: number) => `${'a'.repeat(length)}b${'a'.repeat(1_000)}`
    const entities = named(...Array.from({ length: 200 }, (_, index) => halves(900 + index)))
    const startedAt = computingMs()
    expect((await locateEntities('a'.repeat(100_000), entities)).missing).toBe(200)
    expect(computingMs() - startedAt).toBeLessThan(2_000)
  })

  test('locateEntities searches the longest text for at most a hundred names', async () => {
    const text = `${'😀é'.repeat(66_000)} Zoë`
    const missing = Array.from({ length: 99 }, (_, index) => `Eve\u0301 ${index}é`)
    expect(await located(text, ...missing, 'Zoe\u0308')).toEqual(['Zoë'])
    const often = Array.from({ length: 101 }, (_, index) => `Eve\u0301 ${index}é`)
    expect(await located(text, ...often, 'Zoë')).toEqual([])
  })

  test('locateEntities takes linear time for texts and names of combining marks', async () => {
    const text = '\u0301\u0323'.repeat(50_000)
    const entities = named(...Array.from({ length: 100 }, (_, index) => text.slice(index, 2_000)))
    const startedAt = computingMs()
    expect((await locateEntities(text, entities)).missing).toBe(0)
    // Normalizing the text takes 7 s.
    expect(computingMs() - startedAt).toBeLessThan(2_000)
  })

  test('locateEntities yields to the event loop while it searches a long text for many names', async () => {
    const entities = named(...Array.from({ length: 100 }, (_, index) => `Eve ${index}`))
    let turns = 0
    let isDone = false
    const count = () => {
      turns++
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)
    await locateEntities('ab'.repeat(50_000), entities)
    isDone = true
    expect(turns).toBeGreaterThan(20)
  })

  test('locateEntities takes linear time for a text that matches at every position', async () => {
    const text = 'aa'.repeat(50_000)
    const entities = named(...Array.from({ length: 200 }, (_, index) => 'a'.repeat(index + 1)))
    const startedAt = computingMs()
    expect((await locateEntities(text, entities)).missing).toBe(0)
    expect(computingMs() - startedAt).toBeLessThan(2_000)
  })
})
