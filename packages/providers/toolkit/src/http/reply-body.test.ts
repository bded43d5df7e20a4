import { describe, expect, test } from 'vitest'
import { ReplyBody } from './reply-body.ts'

function opened() {
  const asked: string[] = []
  const connection = {
    pause: () => void asked.push('pause'),
    resume: () => void asked.push('resume'),
    abort: () => void asked.push('abort'),
    awaitEnd: () => void asked.push('await end'),
  }
  return { body: new ReplyBody(connection), asked }
}

const piece = Buffer.alloc(40 * 1024)

describe('a body that is read slowly', () => {
  test('a body that is read slowly pauses the sender and resumes it when there is room', async () => {
    const { body, asked } = opened()
    body.push(piece)
    expect(asked).toEqual([])
    body.push(piece)
    body.push(piece)
    expect(asked.at(-1)).toBe('pause')
    await body.next()
    expect(body.isFull).toBe(true)
    await body.next()
    await body.next()
    expect([body.isFull, asked.at(-1)]).toEqual([false, 'resume'])
  })

  test('a body that is read slowly does not pause the sender for each small chunk', async () => {
    const { body, asked } = opened()
    const small = Buffer.alloc(100)
    while (!body.isFull) body.push(small)
    for (let count = 0; count < 100; count++) {
      await body.next()
      body.push(small)
    }
    expect(new Set(asked)).toEqual(new Set(['pause']))
    while (body.isFull) await body.next()
    expect(asked.filter((what) => what === 'resume')).toHaveLength(1)
  })

  test('a body that is read slowly is read to its end, or to where it broke off', async () => {
    const whole = opened().body
    whole.push(Buffer.from('a'))
    whole.end()
    expect([(await whole.next()).value?.toString(), (await whole.next()).done]).toEqual(['a', true])
    const broken = opened().body
    broken.push(Buffer.from('a'))
    broken.fail(new Error('reset'))
    expect((await broken.next()).value?.toString()).toBe('a')
    await expect(broken.next()).rejects.toThrow('reset')
  })
})

describe('an abandoned body', () => {
  test('an abandoned body closes the connection if it was abandoned early', async () => {
    const { body, asked } = opened()
    await body.return()
    expect(asked).toEqual(['abort'])
    expect((await body.next()).done).toBe(true)
  })

  test('an abandoned body waits for the end of the reply after the last event, but not for another chunk', () => {
    const { body, asked } = opened()
    body.finish()
    expect(asked).toEqual(['resume', 'await end'])
    body.push(piece)
    expect(asked.at(-1)).toBe('abort')
  })

  test('an abandoned body does not count as full', () => {
    const { body } = opened()
    body.push(piece)
    body.push(piece)
    body.finish()
    expect(body.isFull).toBe(false)
  })

  test('an abandoned body does nothing after its end', async () => {
    const { body, asked } = opened()
    body.end()
    body.finish()
    await body.return()
    expect(asked).toEqual([])
  })
})
