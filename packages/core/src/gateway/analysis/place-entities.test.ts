import { describe, expect, test } from 'vitest'
import type { Entity } from '../provider.ts'
import { placeEntities } from './place-entities.ts'

function named(...texts: readonly string[]): readonly Entity[] {
  return texts.map((text) => ({ text, type: 'OTHER', confidence: 1 }))
}

async function placed(text: string, ...texts: readonly string[]): Promise<readonly string[]> {
  return (await placeEntities(text, named(...texts))).entities.map((entity) => entity.text)
}

describe('placeEntities', () => {
  test('puts entities in the order of the text', async () => {
    expect(await placed('Ada met Bob in Rome.', 'Rome', 'Bob', 'Ada')).toEqual(['Ada', 'Bob', 'Rome'])
  })

  test('finds whole words before parts of words', async () => {
    expect(await placed('Parisians like London and Paris.', 'Paris', 'London')).toEqual(['London', 'Paris'])
  })

  test('finds words in scripts that do not part them', async () => {
    expect(await placed('田中さんは東京に住んでいます。', '東京', '田中')).toEqual(['田中', '東京'])
  })

  test('gives the spelling of the text', async () => {
    expect(await placed('NASA and the New\nYork Times', 'new york times', 'Nasa')).toEqual(['NASA', 'New\nYork Times'])
    // The lower case of İ has two characters: positions must not shift.
    expect(await placed('İİİ loves ANKARA', 'Ankara')).toEqual(['ANKARA'])
  })

  test('finds names as they are written before those in another case, and both before parts of words', async () => {
    expect((await placeEntities('You may come in May.', named('May'))).entities).toMatchObject([{ text: 'May' }])
    expect(await placed('Parisians say PARIS', 'Paris')).toEqual(['PARIS'])
  })

  test('finds letters that are composed otherwise, and marks that keyboards lack', async () => {
    const parted = 'Jose\u0301 met Jose.'
    expect(await placed(parted, 'José')).toEqual(['Jose\u0301'])
    expect(await placed(parted, 'José', 'Jose\u0301')).toHaveLength(1)
    expect(await placed('José met Bob.', 'Jose\u0301')).toEqual(['José'])
    expect(await placed('O’Brien read “Ulysses” from 1918–20.', '"Ulysses"', "O'Brien", '1918-20')).toEqual([
      'O’Brien',
      '“Ulysses”',
      '1918–20',
    ])
  })

  test('takes a letter and its accent for one', async () => {
    const text = 'Jose\u0301 met Jose.'
    expect(await placed(text, 'Jose', 'met')).toEqual(['met', 'Jose'])
  })

  test('counts what the text does not hold', async () => {
    expect(await placeEntities('Ada met Bob.', named('Eve', 'Ada', 'Mallory'))).toMatchObject({
      entities: [{ text: 'Ada' }],
      absent: 2,
    })
  })

  test('takes each once', async () => {
    expect(await placed('Ada, Ada and Ada', 'Ada', 'ADA', 'ada')).toHaveLength(1)
  })

  test('is quick on a text and names that are made for each other', async () => {
    const halves = (length: number) => `${'a'.repeat(length)}b${'a'.repeat(1_000)}`
    const entities = named(...Array.from({ length: 200 }, (_, index) => halves(900 + index)))
    const startedAt = performance.now()
    expect((await placeEntities('a'.repeat(100_000), entities)).absent).toBe(200)
    expect(performance.now() - startedAt).toBeLessThan(2_000)
  })

  test('reads a text no oftener than once for each of a hundred names, where its letters are composed', async () => {
    const text = `${'😀é'.repeat(66_000)} Zoë`
    const absent = Array.from({ length: 99 }, (_, index) => `Eve\u0301 ${index}é`)
    expect(await placed(text, ...absent, 'Zoe\u0308')).toEqual(['Zoë'])
    const often = Array.from({ length: 101 }, (_, index) => `Eve\u0301 ${index}é`)
    expect(await placed(text, ...often, 'Zoë')).toEqual([])
  })

  test('is quick on a text and names of combining marks', async () => {
    const text = '\u0301\u0323'.repeat(50_000)
    const entities = named(...Array.from({ length: 100 }, (_, index) => text.slice(index, 2_000)))
    const startedAt = performance.now()
    expect((await placeEntities(text, entities)).absent).toBe(0)
    // Putting the marks in order takes 7 s.
    expect(performance.now() - startedAt).toBeLessThan(2_000)
  })

  test('lets the event loop turn while it reads a long text for many names', async () => {
    const entities = named(...Array.from({ length: 100 }, (_, index) => `Eve ${index}`))
    let turns = 0
    let isDone = false
    const count = () => {
      turns++
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)
    await placeEntities('ab'.repeat(50_000), entities)
    isDone = true
    expect(turns).toBeGreaterThan(20)
  })

  test('is quick on a text that holds a word within words everywhere', async () => {
    const text = 'aa'.repeat(50_000)
    const entities = named(...Array.from({ length: 200 }, (_, index) => 'a'.repeat(index + 1)))
    const startedAt = performance.now()
    expect((await placeEntities(text, entities)).absent).toBe(0)
    expect(performance.now() - startedAt).toBeLessThan(2_000)
  })
})
