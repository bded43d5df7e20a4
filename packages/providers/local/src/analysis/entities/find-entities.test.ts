import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { entitiesWithOffsets, findEntities } from './find-entities.ts'

/** Every entity as `text|TYPE`, in order. */
const found = (text: string) => findEntities(text).map((entity) => `${entity.text}|${entity.type}`)

describe('findEntities', () => {
  test('findEntities finds people, organizations and places', () => {
    expect(found('Angela Merkel met the board of Siemens AG in Munich.')).toEqual([
      'Angela Merkel|PERSON',
      'Siemens AG|ORGANIZATION',
      'Munich|LOCATION',
    ])
  })

  test('findEntities leaves titles out of names', () => {
    expect(found('We met Dr. Sarah Lindqvist and President Macron.')).toEqual([
      'Sarah Lindqvist|PERSON',
      'Macron|PERSON',
    ])
  })

  test('findEntities tells a company from its chief in one run of capitals', () => {
    expect(found('Today Apple CEO Tim Cook spoke.')).toEqual(['Today|DATE', 'Apple|ORGANIZATION', 'Tim Cook|PERSON'])
  })

  test('findEntities tells a maker from what it made', () => {
    expect(found('I like my Adobe Photoshop.')).toEqual(['Adobe|ORGANIZATION', 'Photoshop|PRODUCT'])
  })

  test('findEntities keeps a model number with its product', () => {
    expect(found('The Pixel 8 costs less.')).toEqual(['Pixel 8|PRODUCT'])
  })

  test('findEntities follows a name through "of", "and" and "&"', () => {
    expect(found('The University of Oslo hired Holt & Baines LLP.')).toEqual([
      'University of Oslo|ORGANIZATION',
      'Holt & Baines LLP|ORGANIZATION',
    ])
  })

  test('findEntities parts a place from the country behind the comma', () => {
    expect(found('She lives in Lyon, France.')).toEqual(['Lyon|LOCATION', 'France|LOCATION'])
  })

  test.each([
    ['due on 3 May 2024.', '3 May 2024|DATE'],
    ['due on March 3rd, 2024.', 'March 3rd, 2024|DATE'],
    ['due on 2024-05-03.', '2024-05-03|DATE'],
    ['seen two weeks ago.', 'two weeks ago|DATE'],
    ['built in 1887 by hand.', '1887|DATE'],
    ['open until 5:30 p.m. daily.', '5:30 p.m.|TIME'],
    ['closed on Christmas Day.', 'Christmas Day|DATE'],
    ['made at 2024-05-03T10:20:30Z.', '2024-05-03T10:20:30Z|DATE'],
    ['it costs 20 Canadian dollars.', '20 Canadian dollars|MONEY'],
    ['it costs $2.5 million.', '$2.5 million|MONEY'],
    ['it costs 1.299,00 € now.', '1.299,00 €|MONEY'],
    ['up by 12.5% again.', '12.5%|PERCENT'],
    ['write to jo@mail.example.org, please.', 'jo@mail.example.org|EMAIL'],
    ['see https://example.com/a?b=(c).', 'https://example.com/a?b=(c)|URL'],
    ['call +49 40 5550 123 now.', '+49 40 5550 123|PHONE'],
    ['with 1,250 seats.', '1,250|NUMBER'],
    ['during the Battle of Hastings.', 'Battle of Hastings|EVENT'],
    ['before the Treaty of Rome.', 'Treaty of Rome|OTHER'],
  ])('findEntities finds the one entity of "%s"', (text, entity) => {
    expect(found(text)).toEqual([entity])
  })

  test.each(['order 4021 is late', 'version 2.4.1 is out', 'they won 3-1', 'we may march on', '1. first\n2. second'])(
    'findEntities finds nothing in "%s"',
    (text) => {
      expect(found(text)).toEqual([])
    },
  )

  test('findEntities takes no ordinary word for a name because it opens a sentence', () => {
    expect(found('Prices rose. Voters stayed home. Delivery was quick. Great coffee!')).toEqual([])
  })

  test('findEntities finds what the lists know in a headline', () => {
    expect(found('Apple Unveils New Phone in Cupertino')).toEqual(['Apple|ORGANIZATION', 'Cupertino|LOCATION'])
  })

  test('findEntities settles a surname by the full name elsewhere in the text', () => {
    expect(found('Oliver Glasner was calm. Reporters asked if Glasner would stay.')).toEqual([
      'Oliver Glasner|PERSON',
      'Glasner|PERSON',
    ])
  })

  test('findEntities gives exact stretches of the text, in order, without overlap, with a confidence from 0.5 to 1', () => {
    const words = fc.constantFrom(
      'Maria',
      'Lopez',
      'Acme',
      'Ltd',
      'of',
      'the',
      'in',
      'Paris',
      'May',
      '2024',
      '$5',
      'million',
      '10:30',
      'Dr.',
      "Smith's",
      '&',
      '(',
      '"',
      '\n',
      '😀',
      'Bank',
      'Ünal',
      '7%',
      'a@b.co',
      'www.x.org',
      'said',
      '.',
      ',',
      '-',
      'IBM',
      'iPhone',
      '15',
    )
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc.array(words, { maxLength: 60 }).map((list) => list.join(' ')),
    )
    fc.assert(
      fc.property(text, (sample) => {
        let end = 0
        for (const entity of entitiesWithOffsets(sample)) {
          expect(entity.text).toBe(sample.slice(entity.start, entity.end))
          expect(entity.text.trim()).toBe(entity.text)
          expect(entity.text.length).toBeGreaterThan(0)
          expect(entity.start).toBeGreaterThanOrEqual(end)
          expect(entity.confidence).toBeGreaterThanOrEqual(0.5)
          expect(entity.confidence).toBeLessThanOrEqual(1)
          end = entity.end
        }
      }),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 60), seed: 7 },
    )
  })
})
