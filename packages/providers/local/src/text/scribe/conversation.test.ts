import { type Message, answerText, type TextRequest } from '@fairlead/core/provider'
import { computingMs } from '@fairlead/testing'
import { beforeAll, describe, expect, test } from 'vitest'
import { chatRequest, userMessage } from '../../testing/text-request.ts'
import { localText } from '../local-text.ts'

const scribe = localText()
const call = { signal: new AbortController().signal, deadline: Number.POSITIVE_INFINITY, requestId: 'req_1' }
const text =
  'The mill on the river closed in 1987 after a flood, which had broken the wheel. Anna Berg bought it in 2019. She repaired the wheel with two friends and opened a bakery, where people queue on Sundays.'

const assistant = (said: string): Message => ({ role: 'assistant', content: [{ type: 'text', text: said }] })
const system = (said: string): Message => ({ role: 'system', content: [{ type: 'text', text: said }] })

const ask = (messages: readonly Message[], rest: Partial<TextRequest> = {}) =>
  scribe.generateText(chatRequest('scribe', messages, { temperature: 0, seed: 1, ...rest }), call)
const written = async (messages: readonly Message[]) => answerText(await ask(messages))
const words = (said: string) => said.split(/\s+/).length

beforeAll(() => scribe.warmUp())

describe('scribe in a conversation', () => {
  test('scribe in a conversation answers the last request alone if it refers to nothing', async () => {
    const request = userMessage('write a haiku about rain')
    expect(await written([userMessage('write a story about a fox'), assistant('A fox.'), request])).toBe(
      await written([request]),
    )
  })

  test.each(['Shorten it', 'Make it shorter, please.', 'Now even shorter', 'Summarize that'])(
    'scribe in a conversation works on its latest answer: %s',
    async (request) => {
      const answer = await written([userMessage('Tell me about the mill'), assistant(text), userMessage(request)])
      expect(words(answer)).toBeLessThan(words(text))
      expect(answer).toMatch(/mill|Anna Berg|wheel/)
    },
  )

  test('scribe in a conversation finds a title for its latest answer', async () => {
    const answer = await written([userMessage('Tell me more'), assistant(text), userMessage('Give it a title')])
    expect(answer).toMatch(/Mill|Wheel|Anna Berg/)
    expect(words(answer)).toBeLessThan(10)
  })

  test('scribe in a conversation continues its latest answer', async () => {
    const story = [userMessage('write a story'), assistant('Mara opened the door and')]
    expect(await written([...story, userMessage('continue')])).toBe(
      await written([userMessage('continue: Mara opened the door and')]),
    )
  })

  test('scribe in a conversation repeats a request in another tone', async () => {
    const request = userMessage('write an email to Maria about the delayed invoice')
    const formal = [request, assistant('Hi Maria, …'), userMessage('Make it more formal')]
    expect(await written(formal)).toBe(
      await written([userMessage('write a formal email to Maria about the delayed invoice')]),
    )
    expect(await written(formal)).toContain('Maria')
  })

  test('scribe in a conversation repeats a request with the wishes of several follow-ups', async () => {
    const request = userMessage('write a story about a fox')
    const longer = [request, assistant('A fox.'), userMessage('longer')]
    const darker = [...longer, assistant('A long fox.'), userMessage('again, but darker')]
    expect(words(await written(longer))).toBeGreaterThan(words(await written([request])))
    expect(await written(darker)).toBe(await written([userMessage('write a long dark story about a fox')]))
  })

  test('scribe in a conversation answers a question from a text that was given before', async () => {
    const messages = [userMessage(`Summarize: ${text}`), assistant('A mill.'), userMessage('Who bought the mill?')]
    expect(await written(messages)).toContain('Anna Berg')
  })

  test('scribe in a conversation takes tone and length from a system message, and says that it reads no more', async () => {
    const request = userMessage('write a story about a fox')
    const answer = await ask([system('You are a poet. Be brief.'), request])
    expect(words(answerText(answer))).toBeLessThan(words(await written([request])))
    expect(answer.warnings).toMatchObject([{ field: 'messages[0]' }])
  })

  test('scribe in a conversation composes in English only, whatever a system message asks for', async () => {
    expect(await written([system('Always answer in French.'), userMessage('write a story')])).toMatch(/English only/)
  })

  test('scribe in a conversation answers with a JSON object where one is asked for', async () => {
    const answer = await ask([userMessage('write a haiku about rain')], { responseFormat: { type: 'json' } })
    expect(JSON.parse(answerText(answer))).toEqual({ text: expect.stringMatching(/rain/i) })
  })

  test('scribe in a conversation warns that it does not continue a begun answer', async () => {
    const { warnings } = await ask([userMessage('write a haiku about rain'), assistant('Rain')])
    expect(warnings).toMatchObject([{ field: 'messages[1]' }])
  })

  test('scribe in a conversation reads a conversation of 10,000 turns as fast as a short one', async () => {
    const turns = Array.from({ length: 5_000 }, () => [userMessage('again'), assistant('x')]).flat()
    const startedAt = computingMs()
    await ask([...turns, userMessage('again')])
    expect(computingMs() - startedAt).toBeLessThan(1_000)
  })
})
