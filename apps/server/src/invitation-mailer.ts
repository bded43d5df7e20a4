import type { InvitationMail, Mailer } from '@fairlead/core'
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
    const status = await mailer.send(mail, AbortSignal.timeout(timeoutMs))
    if (status >= 300) throw new Error(`The mail server answered ${status}`)
  }
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
