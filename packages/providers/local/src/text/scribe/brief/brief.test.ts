import { describe, expect, test } from 'vitest'
import { readBrief, toSlots, withTopic } from './brief.ts'
import { splitSource } from './split-source.ts'

const slots = (prompt: string) => toSlots(withTopic(readBrief(prompt), undefined), 'nothing')

describe('readBrief', () => {
  test('readBrief reads the length asked for', () => {
    expect(readBrief('write five short ideas in 80 words').length).toMatchObject({ count: 5, words: 80, scale: 0.6 })
  })

  test('readBrief reads the tones asked for', () => {
    expect(readBrief('a formal but friendly note').tones).toEqual(new Set(['formal', 'warm']))
  })
})

describe('toSlots', () => {
  test('toSlots finds who writes to whom', () => {
    expect(slots('write an email to Anna Berg from Tom about the lease')).toMatchObject({
      recipient: 'Anna Berg',
      sender: 'Tom',
    })
  })

  test('toSlots greets a team by its role and a boss by none', () => {
    expect(slots('write an email to my team about lunch')).toMatchObject({ recipient: 'team' })
    expect(slots('write an email to my boss about lunch')).toMatchObject({ recipient: undefined })
  })

  test('toSlots keeps the title of a person, and the dots of an abbreviation', () => {
    expect(slots('write an email to Mr. Hill about the delayed invoice')).toMatchObject({
      recipient: 'Mr. Hill',
      'the topic': 'the delayed invoice',
    })
    expect(slots('Write an email about the U.S. visa')).toMatchObject({ 'the topic': 'the U.S. visa' })
    expect(slots('Write an essay about the U.S.')).toMatchObject({ 'the topic': 'the U.S.' })
  })

  test('toSlots takes the ends of a way for places', () => {
    expect(slots('write an email about my trip from Munich to Oslo')).toMatchObject({
      recipient: undefined,
      sender: undefined,
    })
  })

  test('toSlots finds the topic after a colon', () => {
    expect(slots('title for: a blog post about bees')).toMatchObject({ topic: 'bees' })
    expect(slots('title for: the old mill')).toMatchObject({ topic: 'old mill' })
  })

  test('toSlots finds when, where, how much and why', () => {
    const prompt = 'invite Ana to dinner on Friday at 8 pm at the Blue Room for $40 because we won the prize'
    expect(slots(prompt)).toMatchObject({
      when: 'on Friday at 8 pm',
      day: 'Friday at 8 pm',
      where: 'at the Blue Room',
      amount: '$40',
      reason: 'we won the prize',
    })
  })

  test('toSlots finds the points to be mentioned', () => {
    expect(slots('email about the move, mention the date, the keys and the van')).toMatchObject({
      point: ['the date', 'the keys', 'the van'],
    })
  })

  test('toSlots puts the topic in the forms that a sentence needs', () => {
    expect(slots('slogan for an old mill')).toMatchObject({
      topic: 'old mill',
      'the topic': 'the old mill',
      'a topic': 'an old mill',
      is: 'is',
    })
    expect(slots('slogan for electric cars')).toMatchObject({ 'the topic': 'electric cars', is: 'are', s: '' })
  })
})

describe('splitSource', () => {
  const text = 'The river rose. The mill stood in water by the morning, and nobody had heard the bell.'

  test.each([
    ['after a colon', `Summarize: ${text}`],
    ['below the request', `Summarize the following text\n\n${text}`],
    ['above the request', `${text}\n\nSummarize the text above.`],
    ['between fences', `Summarize this\n\`\`\`\n${text}\n\`\`\``],
    ['in quotes', `Summarize “${text}”`],
  ])('splitSource finds the text %s', (_, prompt) => expect(splitSource(prompt).source).toBe(text))

  test('splitSource takes a plain request for what it is', () => {
    expect(splitSource('write a haiku about rain')).toEqual({
      instruction: 'write a haiku about rain',
      source: undefined,
    })
  })
})
