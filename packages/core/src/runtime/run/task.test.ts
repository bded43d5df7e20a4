import { describe, expect, test } from 'vitest'
import { Task } from './task.ts'

const reason = new Error('stop')

describe('a task that is aborted', () => {
  test('a task that is aborted aborts all that follows it, with the same reason', () => {
    const task = new Task()
    const followers = [new Task(), new Task(), new Task()] as const
    for (const follower of followers) task.follow(follower)
    task.unfollow(followers[1])
    task.abort(reason)
    task.abort(new Error('again'))
    expect(followers.map((follower) => follower.reason)).toEqual([reason, undefined, reason])
  })

  test('a task that is aborted aborts at once what begins to follow it', () => {
    const [task, follower] = [new Task(), new Task()]
    task.abort(reason)
    task.follow(follower)
    expect(follower.reason).toBe(reason)
  })

  test('a task that is aborted aborts its signal, whether that was opened before or is opened later', () => {
    const task = new Task()
    const signal = task.openSignal()
    expect(signal.aborted).toBe(false)
    task.abort(reason)
    const late = new Task()
    late.abort(reason)
    expect([signal.reason, late.openSignal().reason]).toEqual([reason, reason])
  })

  test('a task that is aborted ends the wait for work that ignores it', async () => {
    const task = new Task()
    const waiting = task.race(new Promise(() => {}))
    task.abort(reason)
    await expect(waiting).rejects.toBe(reason)
    await expect(task.race(Promise.resolve('late'))).rejects.toBe(reason)
  })

  test('a task that is aborted handles the rejection of work that nobody waits for any more', async () => {
    const task = new Task()
    const { promise, reject } = Promise.withResolvers<void>()
    const waiting = task.race(promise)
    task.abort(reason)
    reject(new Error('too late'))
    await expect(waiting).rejects.toBe(reason)
  })
})
