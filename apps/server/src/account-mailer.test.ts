import type { AddressMail } from '@fairlead/accounts'
import type { Mail } from '@fairlead/core'
import { describe, expect, test } from 'vitest'
import { addressMailer, invitationMailer } from './account-mailer.ts'

const invitation = { id: 'inv_1', email: 'ada@example.com', token: 'flp_1', project: 'Search', invitedBy: 'Grace' }

async function sendMail(facts: Partial<typeof invitation> = {}): Promise<Mail | undefined> {
  const mails: Mail[] = []
  const invite = invitationMailer({ send: async (mail) => (mails.push(mail), 250) }, 'https://ai.example.com')
  await invite({ ...invitation, ...facts })
  return mails[0]
}

describe('invitationMailer', () => {
  test('invitationMailer mails the link to the dashboard', async () => {
    expect(await sendMail()).toMatchObject({
      to: ['ada@example.com'],
      subject: 'Join the project Search',
      text: expect.stringContaining('https://ai.example.com/dashboard#invitation=flp_1\n'),
    })
  })

  test('invitationMailer writes names in one line, so that they add no paragraphs', async () => {
    const mail = await sendMail({ project: 'Ads\r\n\r\nPay here:\u2028now', invitedBy: 'Grace\n\nHello' })
    expect(mail?.subject).toBe('Join the project Ads Pay here now')
    expect(mail?.text).toContain('Grace Hello invites you to the project Ads Pay here now. Open this link,')
  })

  test.each([
    'https://evil.example/login',
    'evil.example',
    'www.evil.example',
    'evil。example',
    'evil．example',
    'a@evil.example',
    'tel:123',
  ])('invitationMailer writes no link in the place of a name: %s', async (name) => {
    const mail = await sendMail({ project: name, invitedBy: name })
    const [ofNames] = mail?.text.split('Open this link') ?? []
    expect(`${mail?.subject} ${ofNames}`).not.toMatch(/[:@。．]|\/|\.\S/u)
  })
})

describe('addressMailer', () => {
  async function mailed(mail: AddressMail, status = 250): Promise<Mail | undefined> {
    const mails: Mail[] = []
    await addressMailer({ send: async (sent) => (mails.push(sent), status) }, 'https://ai.example.com')(mail)
    return mails[0]
  }
  const verification = { kind: 'verification', id: 'msg_1', email: 'ada@example.com', token: 'flv_1' } as const

  test('addressMailer mails the link that verifies an address', async () => {
    expect(await mailed(verification)).toMatchObject({
      id: 'msg_1',
      to: ['ada@example.com'],
      subject: 'Verify your email address',
      text: expect.stringContaining('https://ai.example.com/dashboard#verify-email=flv_1\n'),
    })
  })

  test('addressMailer tells a former address of its change, without a link to the account', async () => {
    const mail = await mailed({ kind: 'changed', id: 'msg_1', email: 'ada@example.com' })
    expect(mail).toMatchObject({ to: ['ada@example.com'], subject: 'Your email address was changed' })
    expect(mail?.text).not.toContain('#')
  })

  test('addressMailer rejects if the mail server refuses the mail', async () => {
    await expect(mailed(verification, 550)).rejects.toThrow('550')
  })
})
