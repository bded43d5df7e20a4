/** A text that is sent to people. */
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
