/** What the mail with an invitation says. */
export interface InvitationMail {
  /** The id of the invitation. */
  readonly id: string
  readonly email: string
  readonly token: string
  /** The name of the project. */
  readonly project: string
  /** The name of the user who invites. Null if a program does. */
  readonly invitedBy: string | null
}
