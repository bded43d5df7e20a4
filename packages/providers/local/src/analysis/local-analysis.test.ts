import type { AnalysisRequest, ProviderCall } from '@fairlead/core/provider'
import { withinASecond } from '@fairlead/testing'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type LocalAnalysis, localAnalysis } from './local-analysis.ts'

const request = (text: string): AnalysisRequest => ({
  analyzer: 'reader',
  text,
  tasks: ['entities', 'keywords'],
  language: 'en',
})
const call = (signal = new AbortController().signal): ProviderCall => ({
  signal,
  deadline: Date.now() + 60_000,
  requestId: 'test',
})
/** Takes a thread more than a second. */
const longText = 'Zhang Wei of Barlow Rovik saw Mirko Adelt near Ostrava with Kvasir. '.repeat(700)
const shorterText = longText.slice(0, 16_000)

// A thread loads its dictionaries in a second, on a machine that has other work in ten.
describe('localAnalysis', () => {
  const warmReader = async () => {
    const opened = localAnalysis({ workers: 1, queue: 1 })
    await opened.analyze(request('The dictionaries load.'), call())
    return opened
  }
  /** Shared by tests that leave it idle. */
  let reader: LocalAnalysis
  beforeAll(async () => {
    reader = await warmReader()
  })
  afterAll(() => reader.close())

  test('localAnalysis declares English for all three tasks', () => {
    expect(localAnalysis().analyzers).toEqual([
      { id: 'reader', tasks: { sentiment: ['en'], entities: ['en'], keywords: ['en'] } },
    ])
  })

  test('localAnalysis analyzes on a thread of its own', async () => {
    expect(await reader.analyze(request('Maria Lopez lives in Lima.'), call())).toMatchObject({
      analysis: { entities: [{ text: 'Maria Lopez' }, { text: 'Lima' }] },
    })
  })

  test('localAnalysis refuses another language by name', async () => {
    await expect(localAnalysis().analyze({ ...request('Hola'), language: 'es' }, call())).rejects.toMatchObject({
      failure: 'invalid_request',
      field: 'language',
    })
  })

  test('localAnalysis leaves the event loop free while it reads a long text', async () => {
    let ticks = 0
    const timer = setInterval(() => (ticks += 1), 5)
    await reader.analyze(request(shorterText), call())
    clearInterval(timer)
    expect(ticks).toBeGreaterThan(10)
  })

  test('localAnalysis says when to come back once the queue is full', async () => {
    const busy = await warmReader()
    // Ends its thread, which would read on.
    onTestFinished(() => busy.close())
    const leave = new AbortController()
    const taken = [1, 2].map(() => busy.analyze(request(shorterText), call(leave.signal)))
    const refused = busy.analyze(request('One more.'), call())
    await expect(refused).rejects.toMatchObject({ failure: 'retry', retryAfterMs: expect.any(Number) })
    leave.abort()
    await Promise.allSettled(taken)
  })

  test('localAnalysis lets a caller that leaves go within a second, and serves the next', async () => {
    const leave = new AbortController()
    const reading = reader.analyze(request(longText), call(leave.signal))
    leave.abort(new Error('gone'))
    expect(await withinASecond(reading.catch((error: unknown) => error))).toMatchObject({ message: 'gone' })
    await expect.poll(() => reader.analyze(request('Back in Lima.'), call()).catch(() => undefined)).toBeDefined()
  })
})
