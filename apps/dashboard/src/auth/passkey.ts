import { PasskeyError } from './passkey-error.ts'
import { signInMethods } from './sign-in-methods.ts'

type Json = Record<string, unknown>

/** Whether this page can use passkeys: the service has them, and they belong to the host of the page. */
export const hasPasskeys =
  signInMethods.passkeys === location.origin && typeof PublicKeyCredential?.parseCreationOptionsFromJSON === 'function'

/** Asks the browser for a new passkey. @param options from the service, in JSON */
export function createPasskey(options: Json): Promise<Json> {
  return readAnswer(() =>
    navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options as never),
    }),
  )
}

/** Asks the browser for a passkey. @param options from the service, in JSON */
export function askForPasskey(options: Json): Promise<Json> {
  return readAnswer(() =>
    navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options as never) }),
  )
}

async function readAnswer(ask: () => Promise<Credential | null>): Promise<Json> {
  const origin = signInMethods.passkeys
  if (!hasPasskeys) {
    throw new PasskeyError(
      origin === undefined || origin === location.origin
        ? 'This browser has no passkeys here. Use a current browser, over HTTPS.'
        : `Passkeys work only at ${origin}. Open the dashboard there.`,
    )
  }
  try {
    const credential = await ask()
    if (credential instanceof PublicKeyCredential) return { ...credential.toJSON() }
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
    if (error.name === 'InvalidStateError') throw new PasskeyError('This device has a passkey of the account already.')
  }
  throw new PasskeyError('The request for a passkey was cancelled, or took too long.')
}
