import * as z from 'zod'
import type { Keyring } from '@fairlead/core'
import { periodEnd } from '@fairlead/core/feature'
import { toPeriod } from '@fairlead/core/stores'
import type { SignedHead } from './audit-store.ts'

const signedHead = z.strictObject({ value: z.string(), keyId: z.string(), mac: z.string() })

const auditHead = z.strictObject({
  /** The month of the last entry. Empty without entries. */
  month: z.string(),
  /** The number of the last entry in it. */
  number: z.number(),
  /** The hash of the last entry. */
  hash: z.string(),
  /** Of the months before. */
  link: z.string(),
  /** The first entry that must be signed: so were all after it. */
  start: z.strictObject({ month: z.string(), number: z.number() }),
  /** The part that retention removed: its last month, the hash of its last entry, and the number of entries in all. */
  removed: z
    .strictObject({
      month: z.string(),
      hash: z.string(),
      entries: z.number(),
      /** How many of them are still to be removed. */
      left: z.number(),
      /** The link of the month after. */
      link: z.string(),
      at: z.number(),
    })
    .nullable(),
  /** The fault of a head that was replaced by this one. Kept until retention removes the month. */
  fault: z.strictObject({ month: z.string(), text: z.string() }).nullable(),
  /** A head that this one replaced, signed with a key that the process did not have: one with both keys checks it. */
  unchecked: signedHead.nullable(),
})

/** The end of the whole chain, as it is signed. */
export type AuditHead = z.output<typeof auditHead>

export const emptyHead: AuditHead = {
  month: '',
  number: 0,
  hash: '',
  link: '',
  start: { month: '', number: 1 },
  removed: null,
  fault: null,
  unchecked: null,
}

/** A head, and how far its signature can be trusted. */
export interface OpenedHead {
  readonly head: AuditHead
  /** `unknown` if it was signed with a key that this process does not have. */
  readonly state: 'valid' | 'unknown'
}

export type AuditSigner = ReturnType<typeof createAuditSigner>

/** Signs entries and heads with the secret key, each kind with a key derived for it. */
export function createAuditSigner(keyring: Pick<Keyring, 'macs' | 'fingerprint' | 'previousFingerprint'>) {
  const { fingerprint: keyId, previousFingerprint } = keyring

  function macs(purpose: string, text: string): ReadonlyMap<string | undefined, string> {
    const [current, previous] = keyring.macs(purpose, text).map((mac) => Buffer.from(mac).toString('hex'))
    return new Map([
      ...(previous === undefined ? [] : [[previousFingerprint, previous] as const]),
      ...(current === undefined ? [] : [[keyId, current] as const]),
    ])
  }

  function sign(purpose: string, text: string): { readonly keyId: string; readonly mac: string } {
    return { keyId, mac: macs(purpose, text).get(keyId) ?? '' }
  }

  /** Undefined if it was signed with a key that this process does not have. */
  function isValid(
    purpose: string,
    text: string,
    signed: { readonly keyId: string | null; readonly mac: string | null },
  ) {
    const mac = macs(purpose, text).get(signed.keyId ?? undefined)
    return mac === undefined ? undefined : mac === signed.mac
  }

  /** Undefined if the head was changed. */
  function openHead(signed: SignedHead): OpenedHead | undefined {
    const isSigned = isValid('audit head', signed.value, signed)
    const head = isSigned === false ? undefined : parseHead(signed.value)
    if (!head) return undefined
    return isSigned ? { head: settled(head), state: 'valid' } : { head, state: 'unknown' }
  }

  /** Checks the head that it replaced unchecked. */
  function settled(head: AuditHead): AuditHead {
    const { unchecked, ...known } = head
    if (!unchecked) return head
    const before = openHead(unchecked)
    if (before?.state === 'unknown') return head
    const text = 'the head was changed before it was signed with another key'
    const fault = before ? before.head.fault : { month: head.month, text }
    return { ...known, fault: head.fault ?? fault, unchecked: before?.head.unchecked ?? null }
  }

  return {
    signEntry: (hash: string) => sign('audit entry', hash),
    /** Undefined if the entry was signed with a key that this process does not have. */
    isEntryValid: (entry: { readonly hash: string; readonly keyId: string | null; readonly mac: string | null }) =>
      isValid('audit entry', entry.hash, entry),
    signHead(head: AuditHead): SignedHead {
      const value = JSON.stringify(head)
      return { value, ...sign('audit head', value) }
    },
    openHead,
    /** Whether the current key signed it. */
    isCurrent: (signed: SignedHead) => signed.keyId === keyId,
  }
}

function parseHead(value: string): AuditHead | undefined {
  try {
    return auditHead.safeParse(JSON.parse(value)).data
  } catch {
    return undefined
  }
}

/** The month in which the next entry is chained: never one before the last entry, or one that was removed. */
export function auditMonth(createdAt: number, { month, removed }: AuditHead): string {
  const first = removed ? toPeriod(periodEnd(removed.month)) : ''
  return [toPeriod(createdAt), month, first].toSorted().at(-1) ?? ''
}
