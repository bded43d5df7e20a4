import type { AddressMail, InvitationMail } from '@fairlead/accounts'
import type { Mail, Mailer } from '@fairlead/core'
import { dashboardPath, tokenLink } from './dashboard.ts'

const timeoutMs = 30_000

/** Mails invitations to projects, with a link to the dashboard. */
export function invitationMailer(mailer: Mailer, baseUrl: string): (invitation: InvitationMail) => Promise<void> {
  return async ({ id, email, token, invitedBy: inviter, project: name }) => {
    const project = inOneLine(name)
    const invitedBy = inviter && inOneLine(inviter)
    const mail = {
      id,
      to: [email],
      subject: `Join the project ${project}`,
      text: `${invitedBy === null ? 'You are invited' : `${invitedBy} invites you`} to the project ${project}. Open this link, and log in or sign up with the address ${email}:

${tokenLink(`${baseUrl}${dashboardPath}`, 'invitation', token)}

The link works once, within seven days.
`,
    }
    await send(mailer, mail)
  }
}

/** Mails the link that verifies an email address, and tells a former address of its change. */
export function addressMailer(mailer: Mailer, baseUrl: string): (mail: AddressMail) => Promise<void> {
  return async (mail) => {
    const { id, email } = mail
    const named =
      mail.kind === 'verification'
        ? {
            subject: 'Verify your email address',
            text: `Open this link, and log in to ${baseUrl}, to verify that ${email} is your address:

${tokenLink(`${baseUrl}${dashboardPath}`, 'verify-email', mail.token)}

The link works within 24 hours. If you have no account there, ignore this mail.
`,
          }
        : {
            subject: 'Your email address was changed',
            text: `The account with the address ${email} at ${baseUrl} has another address now. If you did not change it, tell an admin of the service at once.
`,
          }
    await send(mailer, { id, to: [email], ...named })
  }
}

async function send(mailer: Mailer, mail: Mail): Promise<void> {
  const status = await mailer.send(mail, AbortSignal.timeout(timeoutMs))
  if (status >= 300) throw new Error(`The mail server answered ${status}`)
}

/**
 * Anyone can give a project a name, and invite anyone: the name must not look like the text of the service, nor like an
 * address, which mail programs make a link.
 */
function inOneLine(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/[\p{C}\p{Z}:/\\@]+/gu, ' ')
    .replace(/[.。](?=\S)/gu, ' ')
    .trim()
}
