import { describe, expect, test } from 'vitest'
import { scoreSentiment } from './score-sentiment.ts'

const label = (text: string) => scoreSentiment(text).label

describe('scoreSentiment', () => {
  test.each([
    ['positive', 'What a wonderful evening, thank you!'],
    ['positive', 'Worth every penny.'],
    ['positive', 'Unemployment fell again.'],
    ['positive', 'It never lets you down; I could not be happier.'],
    ['negative', 'The app crashes all the time and support ignored me.'],
    ['negative', 'The firm laid off half of its staff.'],
    ['negative', 'Shares fell sharply.'],
    ['negative', 'The room was not clean and not good.'],
    ['negative', 'Yeah right, great service.'],
    ['neutral', 'The meeting takes place on Monday in room 4.'],
    ['neutral', 'Please send the signed agreement to the security department.'],
    ['neutral', '187 grams, 30 cm, one battery.'],
  ])('scoreSentiment finds a %s mood in "%s"', (expected, text) => {
    expect(label(text)).toBe(expected)
  })

  test('scoreSentiment takes nothing from names', () => {
    expect(scoreSentiment('Grace Love works at Best Buy in Hell.').score).toBe(0)
  })

  test('scoreSentiment gives more weight to what follows "but"', () => {
    expect(label('The food was good, but the service was terrible.')).toBe('negative')
    expect(label('The service was terrible, but the food was good and lovely.')).toBe('positive')
  })

  test('scoreSentiment turns a mood that is negated', () => {
    expect(scoreSentiment('It is not helpful.').score).toBeLessThan(0)
  })

  test('scoreSentiment feels more where it is shouted or stressed', () => {
    expect(scoreSentiment('This is bad!!').score).toBeLessThan(scoreSentiment('This is bad.').score)
    expect(scoreSentiment('This is really BAD.').score).toBeLessThan(scoreSentiment('This is bad.').score)
  })

  test('scoreSentiment is neutral on a text without words', () => {
    expect(scoreSentiment('… — 12')).toEqual({ score: 0, label: 'neutral' })
  })
})
