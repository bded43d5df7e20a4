import type { Mail, Mailer } from '@fairlead/core'
import { createTransport } from 'nodemailer'

export interface SmtpOptions {
  /** `smtp:`, with STARTTLS if the server offers it, or `smtps:`. */
  readonly url: string
  readonly from: string
}

/** Below the time that a delivery has, in milliseconds. */
const timeoutMs = 10_000

/** Sends mail over SMTP, with up to five connections. */
export function smtpMailer({ url, from }: SmtpOptions): Mailer & {
  /** Connects and logs in. Rejects if mail cannot be sent. */
  check(): Promise<void>
} {
  const { username, hostname } = new URL(url)
  const transport = createTransport({
    url,
    pool: true,
    // A password must not leave the machine without TLS.
    requireTLS: username !== '' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const domain = /@([^>]+)/.exec(from)?.[1] ?? hostname

  return {
    async send({ id, to, subject, text }: Mail, signal) {
      try {
        const { response } = await transport.sendMail({
          from,
          // Not as texts, which would be parsed: mail to `a;b@example.com` would go to `b@example.com`.
          to: to.map((address) => ({ name: '', address })),
          subject,
          text,
          messageId: `<${id}@${domain}>`,
          // So that nobody's out-of-office reply answers it (RFC 3834).
          headers: { 'Auto-Submitted': 'auto-generated' },
          signal,
        })
        return Number(response.slice(0, 3))
      } catch (error) {
        return replyCode(error)
      }
    },
    async check() {
      await transport.verify()
    },
    close: () => transport.close(),
  }
}

const kinds: Readonly<Record<string, string>> = {
  ETIMEDOUT: 'timeout',
  EDNS: 'dns',
  ETLS: 'tls',
  EREQUIRETLS: 'tls',
  ECONNECTION: 'connect',
  ESOCKET: 'connect',
}

/** The code with which the server rejected a mail. Throws if there is none. */
function replyCode(error: unknown): number {
  const { responseCode, code = '', message } = error as Error & { responseCode?: number; code?: string }
  if (responseCode !== undefined) return responseCode
  throw Object.assign(new Error(message, { cause: error }), { kind: kinds[code] ?? 'unknown' })
}
