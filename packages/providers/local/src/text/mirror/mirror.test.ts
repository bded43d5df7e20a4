import {
  ProviderError,
  type ProviderCall,
  type TextEvent,
  textAnswer,
  answerText,
  type TextRequest,
} from '@fairlead/core/provider'
import { describe, expect, test, vi } from 'vitest'
import { allEvents } from '../../testing/all-events.ts'
import { textRequest } from '../../testing/text-request.ts'
import type { Delay } from '../delay.ts'
import { localText } from '../local-text.ts'

const asks = (prompt: string, rest: Partial<TextRequest> = {}) => textRequest('mirror', prompt, rest)

function call(signal = new AbortController().signal): ProviderCall {
  return { signal, deadline: Number.POSITIVE_INFINITY, requestId: 'req_1' }
}

const script = (...lines: string[]) => ['```mirror', ...lines, '```'].join('\n')

/** A mirror whose waits take no time and are written down. */
function mirrorWithWaits() {
  const waits: number[] = []
  const delay: Delay = async (ms, signal) => {
    signal.throwIfAborted()
    waits.push(ms)
  }
  return { ...localText({ delay }), waits }
}

const texts = (seen: readonly TextEvent[]) => seen.flatMap((event) => (event.type === 'part_delta' ? [event.text] : []))

describe('mirror', () => {
  test('mirror repeats the prompt and counts its tokens', async () => {
    const answer = await mirrorWithWaits().generateText(asks('Hello there, mirror!'), call())
    expect(answer).toEqual(textAnswer('Hello there, mirror!', { usage: { promptTokens: 5, completionTokens: 5 } }))
  })

  test('mirror cuts at maxTokens and says so', async () => {
    const answer = await mirrorWithWaits().generateText(asks('Hello there, mirror!', { maxTokens: 2 }), call())
    expect(answer).toMatchObject(
      textAnswer('Hello there', { finishReason: 'length', usage: { promptTokens: 5, completionTokens: 2 } }),
    )
  })

  test('mirror ends before a stop string', async () => {
    const answer = await mirrorWithWaits().generateText(asks('one two three', { stop: ['wo t'] }), call())
    expect(answer).toMatchObject(textAnswer('one t', { stopSequence: 'wo t' }))
  })

  test('mirror replies with the reply of its script', async () => {
    const answer = await mirrorWithWaits().generateText(asks(`${script('reply: "Two\\nlines"')}\nignored`), call())
    expect(answerText(answer)).toBe('Two\nlines')
  })

  test('mirror replies with the indented lines below a bar', async () => {
    const answer = await mirrorWithWaits().generateText(asks(script('reply: |', '  {', '    "a": 1', '  }')), call())
    expect(answerText(answer)).toBe('{\n  "a": 1\n}')
  })

  test('mirror reads its script from front matter and repeats the rest', async () => {
    const answer = await mirrorWithWaits().generateText(asks('---\ndelay_ms: 5\n---\nWhat is left.'), call())
    expect(answerText(answer)).toBe('What is left.')
  })

  test('mirror leaves front matter that is not its own in the answer', async () => {
    const prompt = '---\ntitle: A page\n---\nText.'
    expect(answerText(await mirrorWithWaits().generateText(asks(prompt), call()))).toBe(prompt)
  })

  test('mirror repeats its reply until it has the tokens asked for', async () => {
    const answer = await mirrorWithWaits().generateText(asks(script('reply: a b c', 'tokens: 7')), call())
    expect(answer).toMatchObject({ ...textAnswer('a b ca b ca'), usage: { completionTokens: 7 } })
  })

  test('mirror warns of a line that it can not read', async () => {
    const answer = await mirrorWithWaits().generateText(asks(script('reply: x', 'fail: sometimes')), call())
    expect(answer.warnings).toEqual([
      { field: 'messages', issue: `the mirror's script has a line that it can't read: "fail: sometimes"` },
    ])
  })

  test('mirror sums up the lines that it can not read after the first 20', async () => {
    const lines = Array.from({ length: 150 }, (_, index) => `line ${index}`)
    const { warnings } = await mirrorWithWaits().generateText(asks(script('reply: x', ...lines)), call())
    expect(warnings).toHaveLength(21)
    expect(warnings?.at(-1)).toEqual({ field: 'messages', issue: '130 more warnings like these are not shown' })
  })

  test('mirror warns of penalties, which it can not honor', async () => {
    const answer = await mirrorWithWaits().generateText(asks('x', { presencePenalty: 1 }), call())
    expect(answer.warnings).toMatchObject([{ field: 'presencePenalty' }])
  })

  test('mirror reports its warnings before it streams', async () => {
    const warn = vi.fn<(warnings: readonly object[]) => void>()
    await allEvents(mirrorWithWaits().streamText(asks('x', { presencePenalty: 1 }), { ...call(), warn }))
    expect(warn).toHaveBeenCalledExactlyOnceWith([expect.objectContaining({ field: 'presencePenalty' })])
  })

  test('mirror streams as many chunks as its script says and waits before each', async () => {
    const { streamText, waits } = mirrorWithWaits()
    const seen = await allEvents(streamText(asks(script('reply: a b c d e f', 'chunks: 3', 'delay_ms: 20')), call()))
    expect(texts(seen)).toEqual(['a b', ' c d', ' e f'])
    expect(waits).toEqual([20, 20, 20])
    expect(seen.at(-1)).toMatchObject({ type: 'finish', finishReason: 'stop' })
  })

  test('mirror streams token by token where nothing is said', async () => {
    const seen = await allEvents(mirrorWithWaits().streamText(asks('Hello there, mirror!'), call()))
    expect(texts(seen)).toEqual(['Hello', ' there', ',', ' mirror', '!'])
  })

  test.each([
    ['timeout', 'timeout'],
    ['unavailable', 'retry'],
    ['rate_limited', 'rate_limited'],
    ['refused', 'content_refused'],
  ])('mirror fails as %s with the failure class %s', async (fail, failure) => {
    const answer = mirrorWithWaits().generateText(asks(script(`fail: ${fail}`)), call())
    await expect(answer).rejects.toSatisfy((error) => error instanceof ProviderError && error.failure === failure)
  })

  test('mirror waits before it fails', async () => {
    const { generateText, waits } = mirrorWithWaits()
    await expect(generateText(asks(script('fail: timeout', 'delay_ms: 900')), call())).rejects.toThrow(ProviderError)
    expect(waits).toEqual([900])
  })

  test('mirror gives a malformed answer that has no content and no usage', async () => {
    const answer = await mirrorWithWaits().generateText(asks(script('fail: malformed')), call())
    expect(answer).not.toHaveProperty('parts')
    expect(answer).not.toHaveProperty('usage')
  })

  test('mirror breaks a malformed stream off without its finish', async () => {
    const seen = await allEvents(mirrorWithWaits().streamText(asks(script('reply: a b', 'fail: malformed')), call()))
    expect(texts(seen)).toEqual(['a'])
    expect(seen.at(-1)).not.toMatchObject({ type: 'finish' })
  })

  test('mirror fails as often as fail_times says, then answers, then begins anew', async () => {
    const { generateText } = mirrorWithWaits()
    const request = asks(script('reply: ok', 'fail: unavailable', 'fail_times: 2'))
    const outcomes: string[] = []
    for (let tries = 0; tries < 4; tries++) {
      outcomes.push(await generateText(request, call()).then(answerText, () => 'failed'))
    }
    expect(outcomes).toEqual(['failed', 'failed', 'ok', 'failed'])
  })

  test('mirror counts the failures of each prompt apart', async () => {
    const { generateText } = mirrorWithWaits()
    const once = (name: string) => asks(`${script('fail: unavailable', 'fail_times: 1')}\n${name}`)
    await expect(generateText(once('first'), call())).rejects.toThrow(ProviderError)
    await expect(generateText(once('second'), call())).rejects.toThrow(ProviderError)
    expect(answerText(await generateText(once('first'), call()))).toBe('first')
  })

  test('mirror throws the reason of a signal that aborts during a wait of the real clock', async () => {
    const leaving = new AbortController()
    const answer = localText().generateText(asks(script('delay_ms: 600000')), call(leaving.signal))
    leaving.abort(new Error('the caller left'))
    await expect(answer).rejects.toThrow('the caller left')
  })

  test('mirror throws the reason of a signal that aborts between two chunks', async () => {
    const leaving = new AbortController()
    const stream = mirrorWithWaits().streamText(asks('one two three'), call(leaving.signal))[Symbol.asyncIterator]()
    await stream.next()
    await stream.next()
    leaving.abort(new Error('the caller left'))
    await expect(stream.next()).rejects.toThrow('the caller left')
  })
})
