import { describe, expect, test } from 'vitest'
import { ReplyBody } from './reply-body.ts'

function opened() {
  const asked: string[] = []
  const flow = {
    pause: () => void asked.push('pause'),
    resume: () => void asked.push('resume'),
    abort: () => void asked.push('abort'),
    awaitEnd: () => void asked.push('await end'),
  }
  return { body: new ReplyBody(flow), asked }
}

const piece = Buffer.alloc(40 * 1024)

describe('a body that is read slowly', () => {
  test('makes the sender pause, and go on when there is room', async () => {
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

  test('does not stop and start the sender for each small piece', async () => {
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

  test('is read to its end, or to where it broke', async () => {
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

describe('a body that is left', () => {
  test('early ends the connection', async () => {
    const { body, asked } = opened()
    await body.return()
    expect(asked).toEqual(['abort'])
    expect((await body.next()).done).toBe(true)
  })

  test('when all was said waits a moment for the reply to end, and no longer than for one more piece', () => {
    const { body, asked } = opened()
    body.finish()
    expect(asked).toEqual(['resume', 'await end'])
    body.push(piece)
    expect(asked.at(-1)).toBe('abort')
  })

  test('with much unread does not count as full', () => {
    const { body } = opened()
    body.push(piece)
    body.push(piece)
    body.finish()
    expect(body.isFull).toBe(false)
  })

  test('after its end asks for nothing', async () => {
    const { body, asked } = opened()
    body.end()
    body.finish()
    await body.return()
    expect(asked).toEqual([])
  })
})
