import { createFairlead, FairleadError } from '@fairlead/core'
import type { TextModel } from '@fairlead/core/provider'
import { longestBlockMs, scripted } from '@fairlead/testing'
import { type ChaosModel, openChaosUpstream } from '@fairlead/provider-toolkit/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openaiCompatible } from './index.ts'

/** Of the one model that is silent for ever; the others may take what time this machine needs. */
const impatient = { firstByteMs: 100 }

/** A core whose provider `chaos` has a model for every misbehavior, and a route `safe` from each to a calm one. */
async function inChaos(model: ChaosModel, retries = { perTarget: 0 }) {
  const upstream = await openChaosUpstream()
  const described: TextModel = { type: 'text', id: model, name: model, description: 'Misbehaves.', maxTokens: 100 }
  const provider = openaiCompatible({
    id: 'chaos',
    baseUrl: upstream.url,
    apiKey: 'sk-fine',
    models: [described],
    timeouts: model === 'hang' ? impatient : {},
  })
  const fairlead = createFairlead({
    providers: [provider, scripted('calm', 'all is well')],
    routing: { routes: { safe: { targets: [`chaos/${model}`, 'calm/any'] } }, retries },
  })
  onTestFinished(async () => {
    await fairlead.core.close()
    await upstream.close()
  })
  const read = async (name: string, signal?: AbortSignal) => {
    let text = ''
    for await (const { content } of fairlead.generate.stream({ model: name, prompt: 'hi' }, signal ? { signal } : {})) {
      text += content
    }
    return text
  }
  return { upstream, fairlead, read }
}

const failures: readonly (readonly [ChaosModel, string])[] = [
  ['hang', 'PROVIDER_TIMEOUT'],
  ['reset-mid', 'PROVIDER_ERROR'],
  ['eof-no-done', 'PROVIDER_ERROR'],
  ['html-200', 'PROVIDER_ERROR'],
  ['error-in-200', 'PROVIDER_ERROR'],
  ['malformed-json', 'PROVIDER_ERROR'],
  ['429-ra', 'RATE_LIMIT_EXCEEDED'],
  ['big', 'PROVIDER_ERROR'],
  ['no-newline', 'PROVIDER_ERROR'],
  ['503-half', 'PROVIDER_ERROR'],
]

describe('openaiCompatible against a faulty upstream', () => {
  test.each(failures)('%s fails its own call and no other', async (model, code) => {
    const { upstream, fairlead } = await inChaos(model)
    const error = await fairlead.generate({ model, prompt: 'hi' }).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(FairleadError)
    expect(error).toMatchObject({ code })
    expect(upstream.count(model)).toBe(1)
    const { content } = await fairlead.generate({ model: 'any', prompt: 'hi' })
    expect(content).toBe('all is well')
  })

  test('a whole answer that breaks off after the upstream began it is asked for once, and of no other target', async () => {
    const { upstream, fairlead } = await inChaos('reset-mid', { perTarget: 2 })
    await expect(fairlead.generate({ model: 'safe', prompt: 'hi' })).rejects.toMatchObject({ code: 'PROVIDER_ERROR' })
    expect(upstream.count('reset-mid')).toBe(1)
  })

  test.each(failures.filter(([model]) => model !== 'reset-mid'))(
    '%s is replaced by the next target of a route',
    async (model) => {
      const { fairlead } = await inChaos(model)
      expect(await fairlead.generate({ model: 'safe', prompt: 'hi' })).toMatchObject({ content: 'all is well' })
    },
  )

  test.each<[ChaosModel, string]>([
    ['hang', 'PROVIDER_TIMEOUT'],
    ['html-200', 'PROVIDER_ERROR'],
    ['error-in-200', 'PROVIDER_ERROR'],
    ['malformed-json', 'PROVIDER_ERROR'],
    ['429-ra', 'RATE_LIMIT_EXCEEDED'],
    ['no-newline', 'PROVIDER_ERROR'],
  ])('%s before the first chunk of a stream is replaced by the next target', async (model, code) => {
    const { read } = await inChaos(model)
    await expect(read(model)).rejects.toMatchObject({ code })
    expect(await read('safe')).toBe('all is well')
  })

  test.each<ChaosModel>(['reset-mid', 'eof-no-done'])(
    'openaiCompatible against a faulty upstream that does %s after its first word ends the stream with an error, without a fallback',
    async (model) => {
      const { upstream, fairlead } = await inChaos(model)
      const pieces: string[] = []
      const reading = (async () => {
        for await (const { content } of fairlead.generate.stream({ model: 'safe', prompt: 'hi' })) pieces.push(content)
      })()
      await expect(reading).rejects.toMatchObject({ code: 'PROVIDER_ERROR' })
      expect(pieces).toEqual(['Hel'])
      expect(upstream.count(model)).toBe(1)
    },
  )

  test('openaiCompatible against a faulty upstream waits for a slow first byte', async () => {
    const { upstream, fairlead } = await inChaos('slow-first-byte')
    const answer = fairlead.generate({ model: 'slow-first-byte', prompt: 'hi' })
    await expect.poll(() => upstream.count('slow-first-byte')).toBe(1)
    upstream.goOn()
    expect((await answer).content).toBe('Hello there')
  })

  test('openaiCompatible against a faulty upstream hangs up on an endless stream when the caller aborts', async () => {
    const { upstream, fairlead } = await inChaos('drip')
    const leaving = new AbortController()
    let letters = ''
    const reading = (async () => {
      const stream = fairlead.generate.stream({ model: 'drip', prompt: 'hi' }, { signal: leaving.signal })
      for await (const { content } of stream) {
        letters += content
        if (letters.length === 5) leaving.abort(new Error('enough'))
        else upstream.goOn()
      }
    })()
    await expect(reading).rejects.toThrow('enough')
    await upstream.requests[0]?.hungUp
    expect(letters).toBe('aaaaa')
  })

  test('abandoning thirty replies of 5 MB does not block the event loop for long', async () => {
    const { upstream, fairlead } = await inChaos('big')
    const leave = async () => {
      for await (const { content } of fairlead.generate.stream({ model: 'big', prompt: 'hi' })) return content.length
      return 0
    }
    const abandon = async () => {
      const lengths = await Promise.all(Array.from({ length: 30 }, leave))
      await Promise.all(upstream.requests.map(({ hungUp }) => hungUp))
      expect(lengths).toEqual(Array.from({ length: 30 }, () => 'word '.length * 1024))
    }
    expect(await longestBlockMs(abandon, 500)).toBeLessThanOrEqual(500)
  })
})
