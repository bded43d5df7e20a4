import { describe, expect, test } from 'vitest'
import { parseAttestation } from './responses.ts'
import { Authenticator, type Faults } from './testing/authenticator.ts'

const options = { rp: { id: 'ai.example.com' }, user: { id: 'dXNyXzE' }, challenge: 'Y2hhbGxlbmdl' }
const sig = Buffer.alloc(70)

const parse = (faults: Faults) => parseAttestation({ ...new Authenticator().create(options, faults) })

describe('parseAttestation', () => {
  test('parseAttestation returns a response without attestation, and one that the passkey signed itself', async () => {
    expect(await parse({})).toMatchObject({ type: 'public-key', response: { transports: ['internal'] } })
    expect(await parse({ format: 'packed', statement: { alg: -7, sig } })).toBeDefined()
  })

  test('parseAttestation refuses certificates, which could make the service fetch a URL that they name', async () => {
    expect(await parse({ format: 'packed', statement: { alg: -7, sig, x5c: [Buffer.alloc(300)] } })).toBeUndefined()
    for (const format of ['tpm', 'apple', 'android-key', 'android-safetynet', 'fido-u2f']) {
      expect(await parse({ format, statement: { x5c: [Buffer.alloc(300)] } })).toBeUndefined()
    }
  })
})
