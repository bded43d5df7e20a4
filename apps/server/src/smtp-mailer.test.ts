import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { diagnose } from './diagnose.ts'
import { smtpMailer } from './smtp-mailer.ts'
import { temporaryFolder } from './testing/run-main.ts'
import { runServer } from './testing/run-server.ts'

const from = 'Fairlead <fairlead@example.com>'
const mail = { id: 'evt_1', to: ['ops@example.com'], subject: '80% is spent', text: 'limit_usd: 25\n' }
const { signal } = new AbortController()

interface SmtpWorld {
  readonly url: string
  readonly messages: readonly string[]
  readonly recipients: readonly string[]
  stop(): Promise<void>
}

/** A mail server that rejects the recipient `nobody@example.com`. */
async function startSmtp(): Promise<SmtpWorld> {
  const messages: string[] = []
  const recipients: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onRcptTo({ address }, _session, done) {
      recipients.push(address)
      if (address !== 'nobody@example.com') return done()
      done(Object.assign(new Error('No such user'), { responseCode: 550 }))
    },
    onData(stream, _session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        messages.push(Buffer.concat(chunks).toString())
        done()
      })
    },
  })
  const { server: socket } = server
  server.listen(0, '127.0.0.1')
  await once(socket, 'listening')
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()))
  onTestFinished(stop)
  return { url: `smtp://127.0.0.1:${(socket.address() as AddressInfo).port}`, messages, recipients, stop }
}

function mailerAt(url: string) {
  const mailer = smtpMailer({ url, from })
  onTestFinished(() => mailer.close?.())
  return mailer
}

describe('smtpMailer', () => {
  test('smtpMailer sends a mail and returns the reply code of the server', async () => {
    const { url, messages } = await startSmtp()
    expect(await mailerAt(url).send(mail, signal)).toBe(250)
    expect(messages).toEqual([expect.stringContaining('\r\n\r\nlimit_usd: 25\r\n')])
    for (const line of [
      'From: Fairlead <fairlead@example.com>',
      'To: ops@example.com',
      'Subject: 80% is spent',
      'Message-ID: <evt_1@example.com>',
      'Auto-Submitted: auto-generated',
    ]) {
      expect(messages[0]).toContain(`${line}\r\n`)
    }
  })

  test('smtpMailer sends to an address as a whole, with the characters that separate addresses', async () => {
    const { url, recipients } = await startSmtp()
    await mailerAt(url).send({ ...mail, to: ['a;b@example.com', 'team:c@example.com'] }, signal)
    expect(recipients).toEqual(['"a;b"@example.com', '"team:c"@example.com'])
  })

  test('smtpMailer returns the code with which the server rejects a mail', async () => {
    const { url } = await startSmtp()
    expect(await mailerAt(url).send({ ...mail, to: ['nobody@example.com'] }, signal)).toBe(550)
  })

  test('smtpMailer rejects with the kind of the error while the server is unreachable', async () => {
    const { url, stop } = await startSmtp()
    await stop()
    await expect(mailerAt(url).send(mail, signal)).rejects.toMatchObject({ kind: 'connect' })
  })
})

describe('a service with a mail server', () => {
  test('a service with a mail server mails an event to the address of a webhook, and to that of its user', async () => {
    const { url, messages } = await startSmtp()
    const { ask, firstAdmin } = await runServer({
      FAIRLEAD_SMTP_URL: url,
      FAIRLEAD_MAIL_FROM: from,
      FAIRLEAD_ADMIN_EMAIL: 'ada@example.com',
    })
    for (const target of ['mailto:ops@example.com', 'mailto:']) {
      const input = { url: target, events: ['budget.*'] }
      const { data } = await ask('POST', '/webhooks', input, firstAdmin?.apiKey)
      await ask('POST', `/webhooks/${data.id}/test`, {}, firstAdmin?.apiKey)
    }
    await vi.waitFor(() => expect(messages).toHaveLength(2), 10_000)
    const recipients = messages.map((message) => /^To: (.*)$/m.exec(message)?.[1]?.trim())
    expect(recipients.toSorted()).toEqual(['ada@example.com', 'ops@example.com'])
  })

  test('a service with a mail server mails an invitation with a link to the dashboard', async () => {
    const { url, messages } = await startSmtp()
    const { ask, baseUrl, firstAdmin } = await runServer({ FAIRLEAD_SMTP_URL: url, FAIRLEAD_MAIL_FROM: from })
    const { data: project } = await ask('POST', '/projects', { name: 'Search' }, firstAdmin?.apiKey)
    const invitation = { role: 'viewer', email: 'max@example.com' }
    const { data } = await ask('POST', `/projects/${project.id}/invitations`, invitation, firstAdmin?.apiKey)
    expect(data).toMatchObject({ mailed: true })
    await vi.waitFor(() => expect(messages).toHaveLength(1), 10_000)
    const [message = ''] = messages
    expect(message).toContain('To: max@example.com')
    expect(message.replaceAll('=\r\n', '').replaceAll('=3D', '=')).toContain(
      // With the proof that the inviter does not get.
      `${baseUrl}/dashboard#invitation=${data.token}.`,
    )
  })

  test('a service with a mail server verifies the address of a user by a link, and mails no events to it before', async () => {
    const { url, messages } = await startSmtp()
    const { ask, baseUrl, firstAdmin } = await runServer({ FAIRLEAD_SMTP_URL: url, FAIRLEAD_MAIL_FROM: from })
    const max = { email: 'max@example.com', password: 'correct horse battery', name: 'Max' }
    const { data: signedUp } = await ask('POST', '/auth/signup', max)
    const { access_token: token, user } = signedUp
    await ask('PATCH', `/api/v1/users/${user.id}`, { role: 'admin' }, firstAdmin?.apiKey)
    const { data: webhook } = await ask('POST', '/webhooks', { url: 'mailto:', events: ['user.*'] }, token)
    const deliver = async () => {
      await ask('POST', `/webhooks/${webhook.id}/test`, {}, token)
      const statusOf = async () =>
        (await ask('GET', `/webhooks/${webhook.id}/deliveries?limit=1`, undefined, token)).data[0]
      await vi.waitFor(async () => expect(await statusOf()).toMatchObject({ status: 'delivered' }), 10_000)
    }
    await deliver()
    expect(messages).toEqual([])

    await ask('POST', '/auth/email-verification', {}, token)
    await vi.waitFor(() => expect(messages).toHaveLength(1), 10_000)
    const text = messages[0]!.replaceAll('=\r\n', '').replaceAll('=3D', '=')
    const [, mailed] = /#verify-email=(\w+)/.exec(text) ?? []
    expect(text).toContain(`${baseUrl}/dashboard#verify-email=${mailed}`)
    const { data } = await ask('POST', '/auth/verify-email', { token: mailed }, token)
    expect(data).toMatchObject({ id: user.id, email_verified: true })
    await deliver()
    await vi.waitFor(() => expect(messages.length).toBeGreaterThan(1), 10_000)
  })

  test('a service with a mail server has it checked by the doctor', async () => {
    const { url, stop } = await startSmtp()
    const finding = async () => {
      const environment = {
        PORT: '0',
        FAIRLEAD_DATA_DIR: temporaryFolder(),
        FAIRLEAD_SMTP_URL: url,
        FAIRLEAD_MAIL_FROM: from,
      }
      for await (const found of diagnose({ environment, folder: temporaryFolder(), callProviders: false })) {
        if (found.check === 'mail') return found
      }
      return undefined
    }
    expect(await finding()).toMatchObject({ status: 'ok' })
    await stop()
    expect(await finding()).toMatchObject({ status: 'fail', message: expect.stringContaining('FAIRLEAD_SMTP_URL') })
  })
})
