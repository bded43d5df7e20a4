import type { Caller } from '../../runtime/access.ts'
import { FairleadError } from '../../runtime/errors.ts'
import { type EventType, titleOf } from '../../runtime/events/event-type.ts'
import type { Event } from '../../runtime/events/events.ts'
import { OutboundError } from '../../runtime/outbound/exchange.ts'

/** A text that is sent to the address of a webhook, such as `mailto:ops@example.com`. */
export interface Mail {
  /** The same in every attempt, so that a mail that arrives twice can be recognized. */
  readonly id: string
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
}

/** Sends mail, such as over SMTP. */
export interface Mailer {
  /**
   * Returns the reply code of the mail server, such as 250 (RFC 5321). Rejects if there is none: with an error whose `kind`,
   * such as `connect` or `timeout`, says why.
   */
  send(mail: Mail, signal: AbortSignal): Promise<number>
  /** Closes all connections. */
  close?(): void
}

const scheme = 'mailto:'

export function isMailUrl(url: string): boolean {
  return url.toLowerCase().startsWith(scheme)
}

/** The addresses of a `mailto` URL (RFC 6068); none stands for the address of the user of each event. */
function addressesIn(url: string): readonly string[] {
  return url.slice(scheme.length).split(',').filter(Boolean)
}

const address = /^[^\s@",<>?]{1,64}@[^\s@",<>?]+$/u

/**
 * What is wrong with a `mailto` URL, as a predicate; undefined if mail may be sent to it. Throws `FORBIDDEN` for members:
 * they could send mail to others in the name of the service.
 */
export function checkMailUrl(caller: Caller, url: string, mailer: Mailer | undefined): string | undefined {
  if (caller.kind === 'account' && caller.role !== 'admin') {
    const issue = 'can be an address for mail only for an admin'
    throw new FairleadError('FORBIDDEN', `url ${issue}`, { issues: [{ field: 'url', issue }] })
  }
  if (!mailer) return 'must use https: this service sends no mail; to change that, set FAIRLEAD_SMTP_URL'
  const wrong = addressesIn(url).find((text) => !address.test(text))
  return wrong === undefined
    ? undefined
    : `must be like mailto:ops@example.com, or mailto: for the address of each user; "${wrong}" is no email address`
}

/** Sends an event to a `mailto` URL. Returns a status, as `Mailer.send` does. */
export type SendMail = (url: string, event: Event, signal: AbortSignal) => Promise<number>

interface MailSenderOptions {
  readonly mailer: Mailer | undefined
  readonly eventTypes: readonly EventType[]
  /** The email address of a user. Resolves to undefined if there is none. */
  addressOf(userId: string): Promise<string | undefined>
}

/** There is nobody to write to, such as after the user was deleted, and nothing to send again. */
const noRecipient = 204

export function mailSender({ mailer, eventTypes, addressOf }: MailSenderOptions): SendMail {
  return async (url, event, signal) => {
    const named = addressesIn(url)
    const ofUser = named.length > 0 || event.userId === null ? undefined : await addressOf(event.userId)
    const to = ofUser === undefined ? named : [ofUser]
    if (to.length === 0) return noRecipient
    if (!mailer) throw new OutboundError('connect', 'This service sends no mail')
    return mailer.send(toMail(event, to, eventTypes), signal)
  }
}

/** An event as a text, with a field in each line. */
function toMail({ id, type, data, createdAt }: Event, to: readonly string[], eventTypes: readonly EventType[]): Mail {
  const eventType = eventTypes.find((each) => each.type === type)
  const fields = Object.entries(data).map(([name, value]) => `${name}: ${asText(value)}`)
  const facts = [`event: ${type}`, `time: ${new Date(createdAt).toISOString()}`, ...fields]
  const text = [...(eventType ? [eventType.summary, ''] : []), ...facts, ''].join('\n')
  return { id, to, subject: `Fairlead: ${(eventType && titleOf(eventType, data)) ?? type}`, text }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
