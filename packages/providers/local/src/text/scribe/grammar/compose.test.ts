import { describe, expect, test } from 'vitest'
import { type Slots, type Voice, compose } from './compose.ts'
import { parseGrammar } from './parse-grammar.ts'
import { seededRandom } from './seeded-random.ts'
import { syllables } from './syllables.ts'

function voice(seed: number, rest: Partial<Voice> = {}): Voice {
  const sampling = { temperature: 1, topP: 1, frequencyPenalty: 0, presencePenalty: 0, random: seededRandom(seed) }
  return { sampling, tones: new Set(), scale: 1, ...rest }
}

const write = (document: string, slots: Slots = {}, rest: Partial<Voice> = {}, seed = 1) =>
  compose(parseGrammar(document), slots, voice(seed, rest))

/** Everything that a grammar says over many seeds. */
const said = (document: string, slots: Slots = {}, rest: Partial<Voice> = {}) =>
  new Set(Array.from({ length: 60 }, (_, seed) => write(document, slots, rest, seed)))

describe('compose', () => {
  test('compose fills in rules and slots', () => {
    expect(write('# answer\nHello {name}, {wish}!\n\n# wish\n* welcome', { name: 'Maria' })).toBe(
      'Hello Maria, welcome!',
    )
  })

  test('compose chooses among alternatives, the first most often', () => {
    const counts = new Map<string, number>()
    for (let seed = 0; seed < 600; seed++) {
      const text = write('# answer\n* a\n* b\n* c', {}, {}, seed)
      counts.set(text, (counts.get(text) ?? 0) + 1)
    }
    expect(counts.get('a')).toBeGreaterThan(counts.get('b')!)
    expect(counts.get('b')).toBeGreaterThan(counts.get('c')!)
  })

  test('compose has no alternative whose slot the prompt did not fill', () => {
    expect(said('# answer\n* Hi {name}\n* {greeting}\n\n# greeting\n* Hello', {})).toEqual(new Set(['Hello']))
  })

  test('compose leaves out what is optional and the line that was nothing else', () => {
    expect(write('# answer\nOne.\n{?reason}\nTwo.')).toBe('One.\nTwo.')
  })

  test('compose keeps an alternative to its tone and its slots', () => {
    const document = '# answer\n* [formal] Dear Sir\n* [with name] Hi {name}\n* [without name] Hi'
    expect(said(document, {})).toEqual(new Set(['Hi']))
    expect(said(document, { name: 'Bo' })).toEqual(new Set(['Hi Bo']))
    expect(said(document, {}, { tones: new Set(['formal']) })).toEqual(new Set(['Dear Sir', 'Hi']))
  })

  test('compose makes a list of as many different items as the prompt asks for', () => {
    const document = '# answer\n1. {item, 2 times}\n\n# item\n* red\n* green\n* blue'
    expect(
      write(document, {}, { count: 3 })
        .split('\n')
        .sort()
        .map((line) => line.slice(0, 3)),
    ).toEqual(['1. ', '2. ', '3. '])
    for (const text of said(document, {}, { count: 3 })) expect(new Set(text.match(/[a-z]+/g))).toHaveLength(3)
  })

  test('compose ends a list early rather than repeat itself', () => {
    expect(write('# answer\n- {item, 2 times}\n\n# item\n* red\n* green', {}, { count: 9 }).split('\n')).toHaveLength(2)
  })

  test('compose says more where more is asked for', () => {
    const document = '# answer\n{word, about 2}\n\n# word\n* a\n* b\n* c\n* d\n* e\n* f'
    expect(write(document, {}, { scale: 3 }).split(' ')).toHaveLength(6)
  })

  test('compose keeps to its first choice where the same is asked for', () => {
    for (const text of said('# answer\n{word, same} {word, same}\n\n# word\n* a\n* b'))
      expect(['a a', 'b b']).toContain(text)
  })

  test('compose lists each value of a slot', () => {
    expect(write('# answer\n- {point, each}', { point: ['one', 'two'] })).toBe('- one\n- two')
  })

  test('compose finds words of the meter asked for', () => {
    const document =
      '# answer\n{line, 5 syllables}\n\n# line\n* {a} {b}\n\n# a\n* rain\n* the river\n* a quiet river\n\n# b\n* returns\n* sleeps\n* is listening'
    for (const text of said(document)) expect(syllables(text)).toBe(5)
  })

  test('compose takes no mark for one that is not', () => {
    expect(write('# answer\n* [name] signs')).toBe('[name] signs')
  })
})

describe('parseGrammar', () => {
  test('parseGrammar refuses a way to put a reference that it does not know', () => {
    expect(() => parseGrammar('# answer\n{topic, sideways}')).toThrow('sideways')
  })
})
