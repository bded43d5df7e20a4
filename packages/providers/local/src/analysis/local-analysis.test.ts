import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { AnalysisRequest, ProviderCall } from '@fairlead/core/provider'
import { withinASecond } from '@fairlead/testing'
import { afterEach, describe, expect, test } from 'vitest'
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
/** Takes a thread half a second. */
const longText = 'Zhang Wei of Barlow Rovik saw Mirko Adelt near Ostrava with Kvasir. '.repeat(700)

// A thread loads its dictionaries in a second, on a machine that has other work in ten.
describe('localAnalysis', () => {
  const readers: LocalAnalysis[] = []
  const warmReader = async () => {
    const reader = localAnalysis({ workers: 1, queue: 1 })
    readers.push(reader)
    await reader.analyze(request('The dictionaries load.'), call())
    return reader
  }
  afterEach(() => Promise.all(readers.splice(0).map((reader) => reader.close())))

  test('declares English for all three tasks', () => {
    expect(localAnalysis().analyzers).toEqual([
      { id: 'reader', tasks: { sentiment: ['en'], entities: ['en'], keywords: ['en'] } },
    ])
  })

  test('analyzes on a thread of its own', async () => {
    const reader = await warmReader()
    expect(await reader.analyze(request('Maria Lopez lives in Lima.'), call())).toMatchObject({
      analysis: { entities: [{ text: 'Maria Lopez' }, { text: 'Lima' }] },
    })
  })

  test('refuses another language by name', async () => {
    await expect(localAnalysis().analyze({ ...request('Hola'), language: 'es' }, call())).rejects.toMatchObject({
      failure: 'invalid_request',
      field: 'language',
    })
  })

  test('leaves the event loop free while it reads a long text', async () => {
    const reader = await warmReader()
    let ticks = 0
    const timer = setInterval(() => (ticks += 1), 5)
    await reader.analyze(request(longText), call())
    clearInterval(timer)
    expect(ticks).toBeGreaterThan(10)
  })

  test('says when to come back once the queue is full', async () => {
    const reader = await warmReader()
    const leave = new AbortController()
    const taken = [1, 2].map(() => reader.analyze(request(longText), call(leave.signal)))
    const refused = reader.analyze(request('One more.'), call())
    await expect(refused).rejects.toMatchObject({ failure: 'retry', retryAfterMs: expect.any(Number) })
    leave.abort()
    await Promise.allSettled(taken)
  })

  test('lets a caller that leaves go within a second, and serves the next', async () => {
    const reader = await warmReader()
    const leave = new AbortController()
    const reading = reader.analyze(request(longText), call(leave.signal))
    leave.abort(new Error('gone'))
    expect(await withinASecond(reading.catch((error: unknown) => error))).toMatchObject({ message: 'gone' })
    await expect.poll(() => reader.analyze(request('Back in Lima.'), call()).catch(() => undefined)).toBeDefined()
  })

  test('keeps no process alive with idle threads', async () => {
    const script = `const { localAnalysis } = await import(${JSON.stringify(new URL('local-analysis.ts', import.meta.url).href)})
      const reader = localAnalysis({ workers: 1 })
      await reader.analyze({ text: 'Fine.', tasks: ['sentiment'], language: 'en' }, { signal: new AbortController().signal })
      console.log('idle')`
    const args = ['--conditions=@fairlead/source', '--eval', script]
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 300_000 })
    expect(stdout).toBe('idle\n')
  })
})
