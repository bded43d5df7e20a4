/** An error that the user can fix. Its message is printed without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}
