import { describe, expect, test } from 'vitest'
import { displayPrefix, newApiKeyToken } from '@fairlead/accounts/server'
import { hashToken, type ApiKeyRow } from '@fairlead/accounts/stores'
import type { Credentials, Scope } from '../runtime/access.ts'
import {
  embedder,
  fakePainter,
  reader,
  scripted,
  someShipment,
  someUsage,
  someEvent,
  someWebhook,
  testCore,
} from '@fairlead/testing'
import { someDelivery, operations, scopes } from '@fairlead/testing/workspace'
import { createIds } from '../runtime/id.ts'
import type { Operation } from '../runtime/operation.ts'

const callers = [
  'no token',
  'a wrong token',
  'the member',
  'another member',
  'an admin',
  'a suspended user',
  'a key without the scope',
  'a key with only the scope',
  'an expired key',
  'a revoked key',
] as const
/** Rejected by every operation, as a suspended user. */
const stopped = [
  'a key from another network',
  'a key of a project whose owner is suspended',
  'a key that a key of a suspended user created',
] as const
/** May do what the member may. */
const descendant = 'a key three generations below a revoked one'
type CallerName = (typeof callers)[number] | (typeof stopped)[number] | typeof descendant

const webhookInput = { url: 'https://example.com/hooks', events: ['*'] }

const verdicts = {
  ok: undefined,
  '401': 'UNAUTHORIZED',
  '403': 'FORBIDDEN',
  '404': 'NOT_FOUND',
  '409': 'CONFLICT',
} as const

interface Row {
  /** One verdict for each of the callers, in their order. */
  readonly verdicts: string
  readonly input: (world: World) => object
}

function row(line: string, input: Row['input'] = () => ({})): Row {
  return { verdicts: line, input }
}

/**
 * Operations whose result depends on the caller. Those on a record use one that belongs to the member. Every operation
 * with an `id` is listed. The access of the others follows from their declaration.
 */
const table = {
  // callers:            none wrong member other admin suspended unscoped scoped expired revoked
  generate: /*        */ row('401 401 ok ok ok 403 403 ok 401 401', () => ({ model: 'any', prompt: 'x' })),
  generateImage: /*   */ row('401 401 ok ok ok 403 403 ok 401 401', () => ({ model: 'picture', prompt: 'x' })),
  embed: /*           */ row('401 401 ok ok ok 403 403 ok 401 401', () => ({ model: 'vectors', texts: ['x'] })),
  analyze: /*         */ row('401 401 ok ok ok 403 403 ok 401 401', () => ({ text: 'x', tasks: ['sentiment'] })),
  models: /*          */ row('401 401 ok ok ok 403 403 ok 401 401'),
  model: /*           */ row('401 401 ok ok ok 403 403 ok 401 401', () => ({ id: 'any' })),
  analyzers: /*       */ row('401 401 ok ok ok 403 403 ok 401 401'),
  providers: /*       */ row('401 401 403 403 ok 403 403 403 401 401'),
  shipments: /*       */ row('401 401 ok ok ok 403 403 ok 401 401'),
  createShipment: /*  */ row('401 401 ok ok ok 403 403 ok 401 401', ({ shipment }) => shipment),
  shipment: /*        */ row('401 401 ok 404 ok 403 403 ok 401 401', ({ shipmentId }) => ({ id: shipmentId })),
  updateShipment: /*  */ row('401 401 ok 404 ok 403 403 ok 401 401', ({ shipmentId, shipment }) => ({
    ...shipment,
    id: shipmentId,
  })),
  patchShipment: /*   */ row('401 401 ok 404 ok 403 403 ok 401 401', ({ shipmentId }) => ({ id: shipmentId })),
  deleteShipment: /*  */ row('401 401 ok 404 ok 403 403 ok 401 401', ({ shipmentId }) => ({ id: shipmentId })),
  signup: /*          */ row('ok ok ok ok ok 403 ok ok ok ok', () => ({
    email: 'new@example.com',
    password: 'a new password',
    name: 'New',
  })),
  login: /*           */ row('ok ok ok ok ok 403 ok ok ok ok', ({ email, password }) => ({ email, password })),
  refresh: /*         */ row('ok ok ok ok ok 403 ok ok ok ok', ({ refreshToken }) => ({ refreshToken })),
  logout: /*          */ row('ok ok ok ok ok 403 ok ok ok ok', ({ refreshToken }) => ({ refreshToken })),
  sessions: /*        */ row('401 401 ok ok ok 403 403 ok 401 401'),
  endSession: /*      */ row('401 401 ok 404 404 403 403 ok 401 401', ({ sessionId }) => ({ id: sessionId })),
  // Only sessions change passkeys.
  passkeys: /*        */ row('401 401 ok 404 ok 403 403 ok 401 401', ({ userId }) => ({ userId })),
  updatePasskey: /*   */ row('401 401 403 403 403 403 403 403 401 401', () => ({ id: 'pky_1', name: 'Phone' })),
  removePasskey: /*   */ row('401 401 403 403 403 403 403 403 401 401', () => ({ id: 'pky_1' })),
  removePasskeys: /*  */ row('401 401 403 403 ok 403 403 403 401 401', ({ userId }) => ({ id: userId })),
  apiKeys: /*         */ row('401 401 ok 404 ok 403 403 ok 401 401', ({ userId }) => ({ userId })),
  // A key cannot grant scopes that it lacks: the key with only the scope `keys` lacks the three default scopes.
  createApiKey: /*    */ row('401 401 ok ok ok 403 403 403 401 401', () => ({ name: 'robot' })),
  apiKey: /*          */ row('401 401 ok 404 ok 403 403 ok 401 401', ({ keyId }) => ({ id: keyId })),
  updateApiKey: /*    */ row('401 401 ok 404 ok 403 403 ok 401 401', ({ keyId }) => ({ id: keyId, name: 'robot' })),
  revokeApiKey: /*    */ row('401 401 ok 404 ok 403 403 ok 401 401', ({ keyId }) => ({ id: keyId })),
  rotateApiKey: /*    */ row('401 401 ok 404 403 403 403 403 401 401', ({ keyId }) => ({ id: keyId })),
  users: /*           */ row('401 401 ok ok ok 403 403 ok 401 401'),
  createUser: /*      */ row('401 401 403 403 ok 403 403 403 401 401', () => ({
    email: 'new@example.com',
    password: 'a new password',
    name: 'New',
  })),
  user: /*            */ row('401 401 ok 404 ok 403 403 ok 401 401', ({ userId }) => ({ id: userId })),
  updateUser: /*      */ row('401 401 ok 404 ok 403 403 ok 401 401', ({ userId, email }) => ({
    id: userId,
    email,
    name: 'Mem',
  })),
  patchUser: /*       */ row('401 401 ok 404 ok 403 403 ok 401 401', ({ userId }) => ({ id: userId, name: 'Mem' })),
  // The addresses of the others and of the admin are verified.
  sendEmailVerification: row('401 401 ok 409 409 403 403 ok 401 401'),
  verifyEmail: /*     */ row('401 401 404 404 404 403 403 404 401 401', () => ({ token: 'flv_1' })),
  deleteUser: /*      */ row('401 401 403 403 ok 403 403 403 401 401', ({ userId }) => ({ id: userId })),
  projects: /*        */ row('401 401 ok ok ok 403 403 ok 401 401'),
  createProject: /*   */ row('401 401 ok ok ok 403 403 ok 401 401', () => ({ name: 'Search' })),
  project: /*         */ row('401 401 ok 404 ok 403 403 ok 401 401', ({ projectId }) => ({ id: projectId })),
  updateProject: /*   */ row('401 401 ok 404 ok 403 403 ok 401 401', ({ projectId }) => ({
    id: projectId,
    name: 'Ads',
  })),
  deleteProject: /*   */ row('401 401 ok 404 ok 403 403 ok 401 401', ({ projectId }) => ({ id: projectId })),
  projectMembers: /*  */ row('401 401 ok 404 ok 403 403 ok 401 401', ({ projectId }) => ({ projectId })),
  setProjectMember: /**/ row('401 401 ok 404 ok 403 403 ok 401 401', ({ projectId, otherId }) => ({
    projectId,
    userId: otherId,
    role: 'viewer',
  })),
  removeProjectMember: row('401 401 ok 404 ok 403 403 ok 401 401', ({ projectId, viewerId }) => ({
    projectId,
    userId: viewerId,
  })),
  projectInvitations: row('401 401 ok 404 ok 403 403 ok 401 401', ({ projectId }) => ({ projectId })),
  createInvitation: /**/ row('401 401 ok 404 ok 403 403 ok 401 401', ({ projectId }) => ({
    projectId,
    role: 'viewer',
  })),
  deleteInvitation: /**/ row('401 401 ok 404 ok 403 403 ok 401 401', ({ projectId, invitationId }) => ({
    projectId,
    invitationId,
  })),
  // The member is one already.
  acceptInvitation: /**/ row('401 401 409 ok ok 403 403 409 401 401', ({ invitationToken }) => ({
    token: invitationToken,
  })),
  webhooks: /*        */ row('401 401 ok ok ok 403 403 ok 401 401'),
  // A webhook needs the scopes of its event types: the key with only the scope `webhooks` cannot subscribe to all.
  createWebhook: /*   */ row('401 401 ok ok ok 403 403 403 401 401', () => webhookInput),
  webhook: /*         */ row('401 401 ok 404 404 403 403 ok 401 401', ({ webhookId }) => ({ id: webhookId })),
  updateWebhook: /*   */ row('401 401 ok 404 404 403 403 403 401 401', ({ webhookId }) => ({
    ...webhookInput,
    id: webhookId,
  })),
  patchWebhook: /*    */ row('401 401 ok 404 404 403 403 ok 401 401', ({ webhookId }) => ({ id: webhookId })),
  deleteWebhook: /*   */ row('401 401 ok 404 404 403 403 ok 401 401', ({ webhookId }) => ({ id: webhookId })),
  rotateWebhookSecret: row('401 401 ok 404 404 403 403 ok 401 401', ({ webhookId }) => ({ id: webhookId })),
  testWebhook: /*     */ row('401 401 ok 404 404 403 403 ok 401 401', ({ webhookId }) => ({ id: webhookId })),
  recoverWebhook: /*  */ row('401 401 ok 404 404 403 403 ok 401 401', ({ webhookId }) => ({
    id: webhookId,
    since: '2026-03-14T00:00:00Z',
  })),
  deliveries: /*      */ row('401 401 ok 404 404 403 403 ok 401 401', ({ webhookId }) => ({ webhookId })),
  delivery: /*        */ row('401 401 ok 404 404 403 403 ok 401 401', ({ webhookId, deliveryId }) => ({
    webhookId,
    deliveryId,
  })),
  redeliver: /*       */ row('401 401 ok 404 404 403 403 ok 401 401', ({ webhookId, deliveryId }) => ({
    webhookId,
    deliveryId,
  })),
  events: /*          */ row('401 401 ok ok ok 403 403 ok 401 401'),
  // The event is about a shipment, so it also needs the scope of shipments.
  event: /*           */ row('401 401 ok 404 ok 403 403 404 401 401', ({ eventId }) => ({ id: eventId })),
  eventStream: /*     */ row('401 401 ok ok ok 403 403 ok 401 401'),
  usage: /*           */ row('401 401 ok 404 ok 403 403 ok 401 401', ({ userId }) => ({ userId })),
  usageTimeseries: /* */ row('401 401 ok 404 ok 403 403 ok 401 401', ({ userId }) => ({ userId })),
  requests: /*        */ row('401 401 ok ok ok 403 403 ok 401 401'),
  request: /*         */ row('401 401 ok 404 ok 403 403 ok 401 401', ({ runId }) => ({ id: runId })),
} satisfies Partial<Record<keyof typeof operations, Row>>

/** The result that follows from the declared access alone; undefined if it depends on the record. */
function declaredVerdict({ access }: Operation, caller: CallerName): keyof typeof verdicts | undefined {
  if (caller === 'a suspended user' || isStopped(caller)) return '403'
  if ('anonymous' in access) return undefined
  if (['no token', 'a wrong token', 'an expired key', 'a revoked key'].includes(caller)) return '401'
  if (caller === 'a key without the scope') return '403'
  // All of them use keys.
  if (access.sessionOnly) return '403'
  return access.role === 'admin' && caller !== 'an admin' ? '403' : undefined
}

function isStopped(caller: CallerName): boolean {
  return stopped.some((one) => one === caller)
}

const all = Object.keys(scopes)

type World = Awaited<ReturnType<typeof world>>

/** Worlds that no call has changed, by the scope that their keys have or lack: to make one takes longer than a call. */
const unchanged = new Map<Scope, World>()

/** Runs an operation in a world that only rejected calls and reads have seen. */
async function runUnchanged(operation: Operation, caller: CallerName, inputOf: (here: World) => unknown) {
  const scope = 'scope' in operation.access ? operation.access.scope : 'models'
  const here = unchanged.get(scope) ?? (await world(scope))
  unchanged.set(scope, here)
  const reply = await here.run(operation, here.credentials[caller], inputOf(here))
  if (reply.success && operation.kind !== 'read') unchanged.delete(scope)
  return reply
}

/** A member who owns one record of each kind, and all other callers. */
async function world(needed: Scope) {
  const { fairlead, core, stores, clock, addCaller } = await testCore({
    sendAddressMail: async () => {},
    providers: [
      scripted('calm', 'hello there'),
      fakePainter('brush'),
      embedder('numbers'),
      reader('reader', { sentiment: { score: 0, label: 'neutral' } }),
    ],
  })
  const newId = createIds(clock.now)
  const [email, password] = ['member@example.com', 'the member’s password']
  const { user, refreshToken } = await fairlead.sessions.signup({ email, password, name: 'Mem' })

  async function addKey(facts: Partial<ApiKeyRow>): Promise<Credentials & { readonly id: string }> {
    const token = newApiKeyToken()
    const now = clock.now()
    const ends = { expiresAt: null, revokedAt: null, limits: null, version: 1 }
    const id = newId('key')
    const key = {
      id,
      userId: user.id,
      name: 'key',
      prefix: displayPrefix(token),
      scopes: all,
      createdBy: null,
      createdAt: now,
      lastUsedAt: now,
    }
    await stores.transact((tx) => tx.keys.add({ ...key, ...ends, ...facts }, hashToken(token)))
    return { kind: 'bearer', token, id }
  }

  const member = await addKey({})
  const shipmentRecord = someShipment(newId, { userId: user.id })
  await stores.transact((tx) => tx.shipments.add(shipmentRecord))
  const webhook = someWebhook(newId, { userId: user.id })
  const delivery = someDelivery(newId, { webhookId: webhook.id })
  const event = someEvent(newId, { userId: user.id })
  const usage = someUsage(newId, { userId: user.id })
  await stores.transact(async (tx) => {
    await tx.events.add([event])
    await tx.usage.add(usage)
    await tx.webhooks.add(webhook)
    await tx.deliveries.add([delivery])
  })
  const project = await fairlead.projects.create({ name: 'Shared', ownerId: user.id })
  const { userId: viewerId } = await addCaller()
  const { userId: otherId } = await addCaller()
  const { userId: ownerId } = await addCaller()
  await fairlead.projects.setMember({ projectId: project.id, userId: ownerId, role: 'owner' })
  await fairlead.projects.setMember({ projectId: project.id, userId: viewerId, role: 'viewer' })
  const { userId: suspendedId } = await addCaller()
  const orphan = await fairlead.projects.create({ name: 'Orphan', ownerId: suspendedId })
  const suspended = await addKey({ userId: suspendedId })
  await stores.transact(async (tx) => {
    const found = await tx.users.take(suspendedId)
    if (found) await tx.users.replace({ ...found, status: 'suspended' })
  })
  const lineage = [await addKey({ revokedAt: clock.now() })]
  for (let each = 0; each < 3; each++) lineage.push(await addKey({ createdBy: lineage.at(-1)!.id }))
  const invitation = await fairlead.projects.invite({ projectId: project.id, role: 'viewer' })
  const [session] = await stores.read((view) => view.sessions.ofUser(user.id))
  const { origin, destination, parcels } = shipmentRecord
  const credentials: Record<CallerName, Credentials> = {
    'no token': { kind: 'none' },
    'a wrong token': { kind: 'bearer', token: newApiKeyToken() },
    'the member': member,
    'another member': (await addCaller()).credentials,
    'an admin': (await addCaller({ user: { role: 'admin' } })).credentials,
    'a suspended user': (await addCaller({ user: { status: 'suspended' } })).credentials,
    'a key without the scope': await addKey({ scopes: all.filter((scope) => scope !== needed) }),
    'a key with only the scope': await addKey({ scopes: [needed] }),
    'an expired key': await addKey({ expiresAt: clock.now() }),
    'a revoked key': await addKey({ revokedAt: clock.now() }),
    'a key from another network': await addKey({ limits: { allowedNetworks: ['192.0.2.1'] } }),
    'a key of a project whose owner is suspended': await addKey({ userId: orphan.id }),
    'a key that a key of a suspended user created': await addKey({ userId: suspendedId, createdBy: suspended.id }),
    [descendant]: lineage.at(-1)!,
  }
  // The keys above exceed the limit of the free tier; the pro tier allows one more.
  await stores.transact(async (tx) => {
    const found = await tx.users.take(user.id)
    if (found) await tx.users.replace({ ...found, tier: 'pro' })
  })
  return {
    run: core.run,
    credentials,
    email,
    password,
    refreshToken,
    userId: user.id,
    keyId: member.id,
    sessionId: session?.id ?? '',
    shipmentId: shipmentRecord.id,
    webhookId: webhook.id,
    deliveryId: delivery.id,
    eventId: event.id,
    runId: usage.runId,
    projectId: project.id,
    viewerId,
    otherId,
    invitationId: invitation.id,
    invitationToken: invitation.token,
    shipment: { reference: 'another', origin, destination, parcels },
  }
}

describe('access to operations', () => {
  test('access to operations is specified for every operation on a record', () => {
    const onRecords = Object.values<Operation>(operations).filter(({ input }) => 'id' in input.shape)
    expect(Object.keys(table)).toEqual(expect.arrayContaining(onRecords.map(({ name }) => name)))
  })

  test.each(Object.values<Operation>(operations).map((operation) => [operation.name, operation] as const))(
    '%s rejects callers that its declaration excludes before it reads the input',
    async (_name, operation) => {
      for (const caller of [...callers, ...stopped]) {
        const verdict = declaredVerdict(operation, caller)
        if (verdict === undefined) continue
        const unread = () => expect.unreachable('the input was read')
        const reply = await runUnchanged(operation, caller, () => unread)
        expect([caller, reply.success ? undefined : reply.error.code]).toEqual([caller, verdicts[verdict]])
      }
    },
  )

  describe.each(Object.keys(table) as (keyof typeof table)[])('%s', (name) => {
    const operation: Operation = operations[name]
    const expected = table[name].verdicts.split(' ') as (keyof typeof verdicts)[]

    const asMember = expected[callers.indexOf('the member')] ?? 'missing'
    const rows = callers.map((caller, index) => [caller as CallerName, expected[index] ?? 'missing'] as const)

    test.each([...rows, [descendant, asMember] as const])(
      'an operation called with %s returns %s',
      async (caller, verdict) => {
        if (verdict === 'missing') throw new Error(`The table has no verdict for ${caller}.`)
        const reply = await runUnchanged(operation, caller, table[name].input)
        expect(reply.success ? undefined : reply.error.code).toBe(verdicts[verdict])
      },
    )
  })
})
