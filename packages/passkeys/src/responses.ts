import type { WebAuthnJson } from '@fairlead/accounts'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'

/** Far beyond what authenticators send. Ids have at most 1,023 bytes. */
const maxLength = { id: 1_364, transport: 32, transports: 10, other: 8_000 } as const

/**
 * The response of a browser that created a passkey, with the fields that are used. Undefined for one of another form, and for
 * one with certificates: to check these, the library would fetch the lists of revoked ones from addresses that they name.
 */
export async function parseAttestation(json: WebAuthnJson): Promise<RegistrationResponseJSON | undefined> {
  const { id, response } = parseCredential(json) ?? {}
  if (!id || !response) return undefined
  const { transports = [] } = response
  const clientDataJSON = textOf(response['clientDataJSON'])
  const attestationObject = textOf(response['attestationObject'])
  if (!clientDataJSON || !attestationObject || !isListOfTransports(transports)) return undefined
  if (!(await isWithoutCertificates(attestationObject))) return undefined
  return {
    ...credentialOf(id),
    response: { clientDataJSON, attestationObject, transports: transports as never[] },
  }
}

/** The response of a browser that signed in, with the fields that are used. Undefined for one of another form. */
export function parseAssertion(json: WebAuthnJson): AuthenticationResponseJSON | undefined {
  const { id, response } = parseCredential(json) ?? {}
  if (!id || !response) return undefined
  const clientDataJSON = textOf(response['clientDataJSON'])
  const authenticatorData = textOf(response['authenticatorData'])
  const signature = textOf(response['signature'])
  const userHandle = textOf(response['userHandle'])
  if (!clientDataJSON || !authenticatorData || !signature) return undefined
  return {
    ...credentialOf(id),
    response: { clientDataJSON, authenticatorData, signature, ...(userHandle && { userHandle }) },
  }
}

function credentialOf(id: string) {
  return { id, rawId: id, type: 'public-key', clientExtensionResults: {} } as const
}

function parseCredential({ id, rawId, type, response }: WebAuthnJson) {
  if (typeof id !== 'string' || id.length > maxLength.id || rawId !== id || type !== 'public-key') return undefined
  return typeof response === 'object' && response !== null
    ? { id, response: response as Record<string, unknown> }
    : undefined
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= maxLength.other ? value : undefined
}

function isListOfTransports(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) &&
    value.length <= maxLength.transports &&
    value.every((entry) => typeof entry === 'string' && entry.length <= maxLength.transport)
  )
}

/** No attestation, or one that the passkey signed itself. */
async function isWithoutCertificates(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  try {
    const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')))
    const format = decoded.get('fmt')
    return format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined)
  } catch {
    return false
  }
}
