import { type Caller, FairleadError, type EventType, type Mail, type Mailer } from '@fairlead/core'
import { wireNames } from '@fairlead/core/adapter'
import { OutboundError } from '@fairlead/core/feature'
import type { EventRow } from '@fairlead/core/stores'

const scheme = 'mailto:'

export function isMailUrl(url: string): boolean {
  return url.toLowerCase().startsWith(scheme)
}

/** The addresses of a `mailto` URL (RFC 6068); none stands for the address of each event's user. */
function addressesIn(url: string): readonly string[] {
  return url.slice(scheme.length).split(',').filter(Boolean)
}

const address = /^[^\s@",<>?]{1,64}@[^\s@",<>?]+$/u

/**
 * The fault of a `mailto` URL, as a predicate; undefined if mail may be sent to it. Throws `FORBIDDEN` for members:
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
export type SendMail = (url: string, event: EventRow, signal: AbortSignal) => Promise<number>

interface MailSenderOptions {
  readonly mailer: Mailer | undefined
  readonly eventTypes: readonly EventType[]
  /** The email addresses of a user, or of a project. */
  addressesOf(ownerId: string): Promise<readonly string[]>
}

/** There is nobody to write to, such as after the user was deleted, and nothing to send again. */
const noRecipient = 204

export function mailSender({ mailer, eventTypes, addressesOf }: MailSenderOptions): SendMail {
  return async (url, event, signal) => {
    const named = addressesIn(url)
    const to = named.length > 0 || event.userId === null ? named : await addressesOf(event.userId)
    if (to.length === 0) return noRecipient
    if (!mailer) throw new OutboundError('connect', 'This service sends no mail')
    return mailer.send(toMail(event, to, eventTypes), signal)
  }
}

/** An event as a text, with a field in each line. */
function toMail(
  { id, type, data, createdAt }: EventRow,
  to: readonly string[],
  eventTypes: readonly EventType[],
): Mail {
  const eventType = eventTypes.find((each) => each.type === type)
  const fields = Object.entries(data).map(([name, value]) => `${name}: ${asText(value)}`)
  const facts = [`event: ${type}`, `time: ${new Date(createdAt).toISOString()}`, ...fields]
  const text = [...(eventType ? [eventType.summary, ''] : []), ...facts, ''].join('\n')
  return { id, to, subject: `Fairlead: ${(eventType && findTitle(eventType, data)) ?? type}`, text }
}

/** As JSON if it is no text, or a text that could look like further fields. */
function asText(value: unknown): string {
  return typeof value === 'string' && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value) ? value : JSON.stringify(value)
}

/** The title of an event. Undefined if its type has none. */
function findTitle({ title, data: schema }: EventType, data: EventRow['data']): string | undefined {
  return title?.(wireNames(schema).read(data) as never)
}
