import { answerText } from '@fairlead/core/provider'
import { computingMs } from '@fairlead/testing'
import { beforeAll, describe, expect, test } from 'vitest'
import { textRequest } from '../../../testing/text-request.ts'
import { localText } from '../../local-text.ts'

const text = `The city library reopened on Monday after two years of renovation. The new library has twice as many reading places, a workshop for children and a rooftop garden.

The mayor said that the library would be open on Sundays for the first time. Critics complained that the renovation cost 3.2 million euros more than planned.

A brass band played in the rain. Membership of the library is free for everyone under 21.`

const scribe = localText()

async function written(prompt: string): Promise<string> {
  const call = { signal: new AbortController().signal, deadline: Number.POSITIVE_INFINITY, requestId: 'req_1' }
  return answerText(await scribe.generateText(textRequest('scribe', prompt, { temperature: 0 }), call))
}

beforeAll(() => scribe.warmUp())

describe('scribe, given a text,', () => {
  test('scribe, given a text, summarizes it in its own most connected sentences', async () => {
    const summary = await written(`Summarize in two sentences: ${text}`)
    expect(summary).toMatch(/library/)
    expect(summary).not.toMatch(/brass band/)
    for (const sentence of summary.split(/(?<=\.) /)) expect(text).toContain(sentence)
  })

  test('scribe, given a text, lists as many points as asked for', async () => {
    const points = (await written(`3 bullet points: ${text}`)).split('\n')
    expect(points).toHaveLength(3)
    for (const point of points) expect(point).toMatch(/^- .+\.$/)
  })

  test('scribe, given a text, finds a title in its words', async () => {
    expect(await written(`Title for this text: ${text}`)).toMatch(/Library/)
  })

  test('scribe, given a text, takes its keywords from it', async () => {
    const keywords = (await written(`Extract 4 keywords from this text: ${text}`)).split(', ')
    expect(keywords).toHaveLength(4)
    for (const keyword of keywords) expect(text).toContain(keyword)
    expect(keywords.join()).toMatch(/library/)
  })

  test.each([
    ['When did the library reopen?', 'Monday'],
    ['How much more than planned did the renovation cost?', '3.2 million'],
    ['Who complained?', 'Critics'],
    ['Is membership free?', 'under 21'],
  ])('scribe, given a text, answers %s from it', async (question, fact) => {
    expect(await written(`${text}\n\n${question}`)).toContain(fact)
    expect(await written(`Text: ${text}\nQuestion: ${question}`)).toContain(fact)
  })

  test('scribe, given a text, says so when the text holds no answer', async () => {
    expect(await written(`${text}\n\nWhich team won the football match?`)).toMatch(/^The text does not say\./)
  })

  test('scribe, given a text, shortens it to about the words asked for', async () => {
    const short = await written(`Shorten to 30 words: ${text}`)
    expect(short.split(' ').length).toBeLessThanOrEqual(33)
    expect(short.split(' ').length).toBeGreaterThan(10)
  })

  test.each([
    ['uppercase: so it goes', 'SO IT GOES'],
    ['convert “the wind in the willows” to title case', 'The Wind in the Willows'],
    ['lowercase HELLO World', 'hello world'],
  ])('scribe, given a text, changes case: %s', async (prompt, changed) => expect(await written(prompt)).toBe(changed))

  test.each(['summarize', 'shorten this'])('scribe, given a text, says so when there is none: %s', async (prompt) => {
    expect(await written(prompt)).toMatch(/no text in the prompt/)
  })

  test.each(['\n', '\t \n', '- point\n', 'Question: what?\n', 'ᄀ'])(
    'scribe, given a text, computes for at most two seconds, whatever is repeated in it 100,000 characters long: %j',
    async (unit) => {
      const filled = unit.repeat(100_000 / unit.length)
      const startedAt = computingMs()
      await written(`Text: x\nQuestion: who? ${filled}`)
      await written(`Reply to this email: Dear Ada,\n${filled}`)
      // Expressions that backtrack took up to 15 s.
      expect(computingMs() - startedAt).toBeLessThan(2_000)
    },
  )
})
