/** Shapes that keys and tokens are known by, whoever they belong to. */
const knownShapes =
  /\bBearer\s+[^\s"',;]+|\b(?:sk|pk|rk|gsk|xai|pplx|csk|nvapi|fl|fls|whsec)[-_][\w*.-]{6,}|\bAIza[\w-]{10,}|(?<=[?&](?:api[-_]?key|key|token|access_token)=)[^\s&"']+/gi

/** The word before the secret in a header: `Bearer …`, `Token …`. */
const scheme = /^[a-z]+ +/i

const mark = '[redacted]'
/** What is shorter is no secret, but a word that stands in for one: it would be cut out of every other sentence. */
const shortestSecret = 6

/**
 * Takes secrets out of text that may reach a log or a caller: those given, as they are and as JSON, URLs and base64
 * spell them, and whatever looks like somebody's key.
 */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const spellings = secrets
    .flatMap((secret) => [secret, secret.replace(scheme, '')])
    .filter(({ length }) => length >= shortestSecret)
    .flatMap((secret) => [
      secret,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret),
      Buffer.from(secret).toString('base64').replace(/=+$/, ''),
      Buffer.from(secret).toString('base64url'),
    ])
    .sort((one, other) => other.length - one.length)
  return (text) => spellings.reduce((rest, secret) => rest.replaceAll(secret, mark), text).replace(knownShapes, mark)
}
