import type { Mail } from '@fairlead/core'
import { describe, expect, test } from 'vitest'
import { invitationMailer } from './invitation-mailer.ts'

const invitation = { id: 'inv_1', email: 'ada@example.com', token: 'flp_1', project: 'Search', invitedBy: 'Grace' }

async function mailOf(facts: Partial<typeof invitation> = {}): Promise<Mail | undefined> {
  const mails: Mail[] = []
  const invite = invitationMailer({ send: async (mail) => (mails.push(mail), 250) }, 'https://ai.example.com')
  await invite({ ...invitation, ...facts })
  return mails[0]
}

describe('invitationMailer', () => {
  test('invitationMailer mails the link to the dashboard', async () => {
    expect(await mailOf()).toMatchObject({
      to: ['ada@example.com'],
      subject: 'Join the project Search',
      text: expect.stringContaining('https://ai.example.com/dashboard#invitation=flp_1\n'),
    })
  })

  test('invitationMailer writes names in one line, so that they add no paragraphs', async () => {
    const mail = await mailOf({ project: 'Ads\r\n\r\nPay here:\u2028now', invitedBy: 'Grace\n\nHello' })
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
    const mail = await mailOf({ project: name, invitedBy: name })
    const [ofNames] = mail?.text.split('Open this link') ?? []
    expect(`${mail?.subject} ${ofNames}`).not.toMatch(/[:@。．]|\/|\.\S/u)
  })
})
