import { readFileSync } from 'node:fs'
import { ConfigError } from './config-error.ts'

type Environment = Readonly<Record<string, string | undefined>>

const secrets =
  /^(DATABASE_URL|REDIS_URL|FAIRLEAD_SECRET_KEY|FAIRLEAD_SECRET_KEY_PREVIOUS|FAIRLEAD_ADMIN_PASSWORD|FAIRLEAD_OIDC_CLIENT_SECRET|AWS_ACCESS_KEY_ID|AWS_SECRET_ACCESS_KEY|AWS_SESSION_TOKEN|FAIRLEAD_SMTP_URL|\w+_API_KEY)$/

/** Whether the variable has a secret that a file can have instead. */
export function isSecret(name: string): boolean {
  return secrets.test(name)
}

/**
 * The environment with each secret that a variable such as `DATABASE_URL_FILE` names by its file, as Docker and Kubernetes
 * mount secrets. Throws `ConfigError` for a file that is empty or cannot be read, and for a secret that is given twice.
 */
export function withSecretFiles(environment: Environment): Environment {
  const { result, issues } = readSecretFiles(environment)
  if (issues.size > 0) throw new ConfigError([...issues.values()].join('\n'))
  return result
}

/** As `withSecretFiles`, but returns the issues by the variable of the secret, which the result then lacks. */
export function readSecretFiles(environment: Environment) {
  const result: Record<string, string | undefined> = { ...environment }
  const issues = new Map<string, string>()
  for (const name of Object.keys(environment)) {
    const secret = name.replace(/_FILE$/, '')
    if (secret === name || !secrets.test(secret)) continue
    delete result[name]
    delete result[secret]
    try {
      result[secret] = readSecret(environment, secret)
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      issues.set(secret, error.message)
    }
  }
  return { result, issues }
}

/** The value of a variable, or the contents of the file that `<name>_FILE` names, without the line break at its end. */
export function readSecret(environment: Environment, name: string): string | undefined {
  const value = environment[name]
  const path = environment[`${name}_FILE`]
  if (!path) return value
  if (value) throw new ConfigError(`${name} and ${name}_FILE are both set: unset one of them`)
  const secret = readText(`${name}_FILE`, path).replace(/\r?\n$/, '')
  // Without this error, the service would start with SQLite, or generate a secret key.
  if (!secret) throw new ConfigError(`${name}_FILE names an empty file: ${path}`)
  return secret
}

function readText(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError(`${name} names a file that cannot be read: ${reason}`, { cause: error })
  }
}
