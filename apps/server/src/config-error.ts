/** An error that the operator can fix. The message says how, and never contains the value of a secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}
