import { describe, expect, test } from 'vitest'
import { type Entity, locateEntities } from './locate-entities.ts'

const entity = (text: string, type: Entity['type'] = 'PERSON'): Entity => ({ text, type, confidence: 0.9 })

function marked(text: string, ...entities: readonly Entity[]): string {
  const parts = locateEntities(text, entities)
  expect(parts.map((part) => part.text).join('')).toBe(text)
  return parts.map((part) => (part.entity ? `[${part.text}]` : part.text)).join('')
}

describe('locateEntities', () => {
  test('locateEntities marks entities in the order of the text', () => {
    expect(marked('Ada met Bob in Rome.', entity('Ada'), entity('Bob'), entity('Rome', 'LOCATION'))).toBe(
      '[Ada] met [Bob] in [Rome].',
    )
  })

  test('locateEntities marks each listed occurrence of the same text', () => {
    expect(marked('Ada likes Ada.', entity('Ada'), entity('Ada'))).toBe('[Ada] likes [Ada].')
  })

  test('locateEntities finds an entity that is listed out of order', () => {
    expect(marked('Ada met Bob.', entity('Bob'), entity('Ada'))).toBe('[Ada] met [Bob].')
  })

  test('locateEntities leaves out entities that overlap another one or do not occur', () => {
    expect(marked('New York', entity('New York'), entity('York'), entity('Paris'), entity(''))).toBe('[New York]')
  })

  test('locateEntities returns a text without entities as one part', () => {
    expect(marked('Nothing here')).toBe('Nothing here')
  })
})
