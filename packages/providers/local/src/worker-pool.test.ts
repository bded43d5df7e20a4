import { describe, expect, onTestFinished, test } from 'vitest'
import { workerFile, workerPool } from './worker-pool.ts'

const call = { signal: new AbortController().signal }

function open(workers = 1) {
  const file = workerFile('testing/exiting-worker')
  const pool = workerPool<string, number>({ file, run: 'work', workers, queue: 10, usualMs: 10 })
  onTestFinished(() => pool.close())
  return pool
}

describe('workerPool', () => {
  test('workerPool replaces an idle thread that has exited by itself, and closes', async () => {
    const pool = open()
    const first = await pool.run('answers', call)
    await pool.run('exits afterwards', call).catch(() => {})
    await expect.poll(() => pool.run('answers', call).catch(() => first)).not.toBe(first)
    await pool.close()
  })

  test('workerPool rejects the task of a thread that exits, and runs the next one on a new thread', async () => {
    const pool = open()
    await expect(pool.run('exits', call)).rejects.toMatchObject({ failure: 'retry' })
    expect(await pool.run('answers', call)).toBeGreaterThan(0)
    await expect(pool.run('exits', call)).rejects.toMatchObject({ failure: 'retry' })
    expect(await pool.run('answers', call)).toBeGreaterThan(0)
  })

  test('workerPool closes while its threads start', async () => {
    const pool = open(2)
    const running = pool.run('answers', call).catch((error: unknown) => error)
    await pool.close()
    expect(await running).toMatchObject({ failure: 'give_up' })
  })
})
