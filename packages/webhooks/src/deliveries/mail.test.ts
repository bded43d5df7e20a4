import { describe, expect, test } from 'vitest'
import { someEvent } from '@fairlead/testing'
import { createEvent, budgetEvents } from '@fairlead/core/feature'
import { createIds } from '@fairlead/core/adapter'
import type { Mail } from '@fairlead/core'
import { mailSender } from './mail.ts'

const newId = createIds(() => Date.UTC(2026, 2, 14, 12))
const { signal } = new AbortController()

function setUp({ hasMailer = true, addresses = ['max@example.com'] } = {}) {
  const mails: Mail[] = []
  const send = mailSender({
    mailer: hasMailer ? { send: async (mail) => (mails.push(mail), 250) } : undefined,
    eventTypes: Object.values(budgetEvents),
    addressesOf: async () => addresses,
  })
  return { mails, send }
}

describe('mailSender', () => {
  test('mailSender says in the subject what happened, and has a field in each line', async () => {
    const { mails, send } = setUp()
    const { warning } = budgetEvents
    const facts = { id: 'evt_1', userId: 'usr_1', createdAt: Date.UTC(2026, 2, 14, 12) }
    expect(await send('mailto:ops@example.com', createEvent(warning, warning.example, facts), signal)).toBe(250)
    expect(mails).toEqual([
      {
        id: 'evt_1',
        to: ['ops@example.com'],
        subject: 'Fairlead: 80% of the budget of an API key is spent',
        text: `A share of a budget was spent, by default 50% and 80%. Sent once per period and share.

event: budget.warning
time: 2026-03-14T12:00:00.000Z
id: key_2144006262568942337108473209784351112
kind: key
user_id: usr_2144006262569533826222110534494264869
limit_usd: 25
spent_usd: 20.03
threshold: 80
period: month
resets_at: 2026-04-01T00:00:00.000Z
`,
      },
    ])
  })

  test('mailSender writes a name with line breaks as JSON, so that it adds no fields', async () => {
    const { mails, send } = setUp()
    await send('mailto:ops@example.com', { ...someEvent(newId), data: { name: 'ads\nstatus: ok' } }, signal)
    expect(mails[0]?.text).toContain('name: "ads\\nstatus: ok"\n')
  })

  test('mailSender has the type of an event without a title in the subject', async () => {
    const { mails, send } = setUp()
    await send('mailto:ops@example.com', someEvent(newId, { type: 'shipment.created' }), signal)
    expect(mails).toMatchObject([{ subject: 'Fairlead: shipment.created' }])
  })

  test.for<[string, readonly string[]]>([
    ['mailto:a@example.com,b@example.com', ['a@example.com', 'b@example.com']],
    ['MAILTO:a@example.com', ['a@example.com']],
    ['mailto:', ['max@example.com']],
  ])('mailSender sends %s to %j', async ([url, to]) => {
    const { mails, send } = setUp()
    await send(url, someEvent(newId), signal)
    expect(mails).toMatchObject([{ to }])
  })

  test('mailSender sends nothing to a user who was deleted', async () => {
    const { mails, send } = setUp({ addresses: [] })
    expect(await send('mailto:', someEvent(newId), signal)).toBe(204)
    expect(mails).toEqual([])
  })

  test('mailSender rejects while the service sends no mail, so that it is sent later', async () => {
    const { send } = setUp({ hasMailer: false })
    await expect(send('mailto:a@example.com', someEvent(newId), signal)).rejects.toMatchObject({ kind: 'connect' })
  })
})
