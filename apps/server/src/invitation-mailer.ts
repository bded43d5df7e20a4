import type { InvitationMail, Mailer } from '@fairlead/core'
import { dashboardPath } from './dashboard.ts'

const timeoutMs = 30_000

/** Mails invitations to projects, with a link to the dashboard. */
export function invitationMailer(mailer: Mailer, baseUrl: string): (invitation: InvitationMail) => Promise<void> {
  return async ({ id, email, token, project, invitedBy }) => {
    const mail = {
      id,
      to: [email],
      subject: `Join the project ${project}`,
      // The token is in the fragment, because browsers send it to no server.
      text: `${invitedBy === null ? 'You are invited' : `${invitedBy} invites you`} to the project ${project}. Open this link, and log in or sign up with the address ${email}:

${baseUrl}${dashboardPath}#invitation=${token}

The link works once, within seven days.
`,
    }
    const status = await mailer.send(mail, AbortSignal.timeout(timeoutMs))
    if (status >= 300) throw new Error(`The mail server answered ${status}`)
  }
}
