import type { AddressMail } from '@fairlead/accounts'
import type { Provider } from '@fairlead/core/provider'
import { local } from '@fairlead/provider-local'
import { webAuthnPasskeys } from '@fairlead/passkeys'
import { Authenticator } from '@fairlead/passkeys/testing'
import { serveApp } from './serve-app.ts'
import { stableText } from './stable-text.ts'
import { tourFailures } from './tour-failures.ts'
import { type Stop, type Tourist, tourist } from './tourist.ts'

/** A successful call of every operation, by its id, and an error of every code. */
export interface Tour {
  readonly operations: Readonly<Record<string, Stop>>
  readonly failures: Readonly<Record<string, unknown>>
}

const timeoutMs = 60_000

const london = { name: 'Ada', street: '12 St James Sq', city: 'London', postal_code: 'SW1Y 4JH', country: 'GB' }
const hamburg = { name: 'Depot', street: 'Hafenstr. 1', city: 'Hamburg', postal_code: '20457', country: 'DE' }
const shipment = {
  reference: 'ORDER-1001',
  origin: hamburg,
  destination: london,
  parcels: [{ weight_kg: 2.5, length_cm: 40 }],
}
const grace = { email: 'grace@example.com', password: 'correct horse battery', name: 'Grace Hopper' }

/** Calls every operation of the service with its embedded provider, and records the responses with stable random values. */
export async function tour(): Promise<Tour> {
  const mails: AddressMail[] = []
  const served = await serveApp({
    baseUrl: 'http://127.0.0.1:8080',
    core: {
      providers: [embedded()],
      passkeys: webAuthnPasskeys({ origins: [Authenticator.origin] }),
      sendAddressMail: async (mail) => void mails.push(mail),
    },
  })
  const { credentials } = await served.addCaller({
    user: { email: 'ada@example.com', name: 'Ada Lovelace', role: 'admin', tier: 'pro' },
    key: { name: 'laptop' },
  })
  // Each record has its own creation time, so that lists have a stable order.
  const visitor = tourist(served.url, credentials.token, () => served.clock.advance(1_000))
  await visitFunctions(visitor)
  await visitShipments(visitor)
  await visitUsers(visitor)
  await visitKeys(visitor)
  const mailedToken = () => mails.flatMap((mail) => (mail.kind === 'verification' ? mail.token : []))[0]
  await visitSessions(visitor, served.signInToken, mailedToken)
  await visitProjects(visitor)
  await visitPasskeys(visitor)
  await visitWebhooks(visitor)
  await visitEvents(visitor)
  await visitAudit(visitor)
  await visitService(visitor)
  const seen: Tour = { operations: visitor.stops, failures: await tourFailures() }
  return JSON.parse(stableText(JSON.stringify(seen)))
}

/** The embedded provider. It uses the system clock for deadlines; the clock of the service is controlled by the test. */
function embedded(): Provider {
  const provider = local()
  return {
    ...provider,
    generateImage: async (request, call) => {
      if (!provider.generateImage) throw new Error('the embedded default makes images')
      return provider.generateImage(request, { ...call, deadline: Date.now() + timeoutMs })
    },
  }
}

async function visitFunctions({ visit, listen }: Tourist) {
  await visit('models', 'GET', '/models')
  await visit('model', 'GET', '/models/scribe')
  await visit('modelsQuickStart', 'GET', '/v1/models')
  await visit('modelQuickStart', 'GET', '/v1/models/scribe')
  const haiku = { model: 'scribe', prompt: 'Write a haiku about rain', seed: 7 }
  await visit('generate', 'POST', '/generate', { body: haiku })
  await listen('generate', '/generate', haiku)
  await visit('generateQuickStart', 'POST', '/v1/generate', { body: haiku })
  await listen('generateQuickStart', '/v1/generate', haiku)
  const seascape = { model: 'vista', prompt: 'a lighthouse on a cliff at sunset', size: '512x512', seed: 7 }
  const { id } = await visit('generateImage', 'POST', '/generate/image', { body: seascape })
  await visit('image', 'GET', `/images/${id}.png`)
  await visit('generateImageQuickStart', 'POST', '/v1/generate/image', { body: seascape })
  const ship = { model: 'lexis', texts: ['A ship at sea'], dimensions: 256, encoding: 'base64' }
  await visit('embed', 'POST', '/embeddings', { body: ship })
  const news = { text: 'Maria Lopez loves the new office in Berlin.', tasks: ['sentiment', 'entities', 'keywords'] }
  await visit('analyze', 'POST', '/analyze', { body: news })
  await visit('analyzeQuickStart', 'POST', '/v1/analyze', { body: news })
  await visit('analyzers', 'GET', '/analyzers')
  await visit('providers', 'GET', '/providers')
}

async function visitShipments({ visit }: Tourist) {
  const { id } = await visit('createShipment', 'POST', '/api/v1/shipments', { body: shipment })
  const path = `/api/v1/shipments/${id}`
  await visit('shipment', 'GET', path)
  await visit('updateShipment', 'PUT', path, { body: { ...shipment, status: 'in_transit', carrier: 'DHL' } })
  await visit('patchShipment', 'PATCH', path, { body: { notes: 'Leave at the door.', carrier: null } })
  await visit('shipments', 'GET', '/api/v1/shipments')
  await visit('deleteShipment', 'DELETE', path)
}

async function visitUsers({ visit }: Tourist) {
  const { id } = await visit('createUser', 'POST', '/api/v1/users', { body: { ...grace, tier: 'pro' } })
  const path = `/api/v1/users/${id}`
  await visit('user', 'GET', path)
  await visit('updateUser', 'PUT', path, { body: { email: grace.email, name: 'Grace Brewster Hopper' } })
  await visit('patchUser', 'PATCH', path, { body: { tier: 'free' } })
  await visit('users', 'GET', '/api/v1/users?tier=pro&limit=1')
  await visit('deleteUser', 'DELETE', path)
}

async function visitKeys({ visit }: Tourist) {
  const body = { name: 'website', scopes: ['generate', 'models'] }
  const { id } = await visit('createApiKey', 'POST', '/api-keys', { body })
  const path = `/api-keys/${id}`
  await visit('apiKey', 'GET', path)
  await visit('updateApiKey', 'PATCH', path, { body: { name: 'shop', scopes: ['generate'] } })
  await visit('rotateApiKey', 'POST', `${path}/rotate`, { body: { grace_seconds: 3600 } })
  await visit('apiKeys', 'GET', '/api-keys')
  await visit('revokeApiKey', 'DELETE', path)
  await visit('usage', 'GET', '/usage')
  await visit('usageTimeseries', 'GET', '/usage/timeseries?group_by=operation')
  const [request] = await visit('requests', 'GET', '/requests?operation=generate&limit=1')
  await visit('request', 'GET', `/requests/${request.id}`)
}

async function visitSessions(
  { visit }: Tourist,
  signInToken: (userId: string) => string,
  mailedToken: () => string | undefined,
) {
  const { email, password } = grace
  const { user, access_token: token } = await visit('signup', 'POST', '/auth/signup', { body: grace })
  await visit('sendEmailVerification', 'POST', '/auth/email-verification', { token })
  await visit('verifyEmail', 'POST', '/auth/verify-email', { token, body: { token: mailedToken() } })
  const { refresh_token } = await visit('login', 'POST', '/auth/login', { body: { email, password } })
  await visit('refresh', 'POST', '/auth/refresh', { body: { refresh_token } })
  const sessions = await visit('sessions', 'GET', '/sessions', { token })
  const other = sessions.find(({ current }: { readonly current: boolean }) => !current)
  await visit('endSession', 'DELETE', `/sessions/${other.id}`, { token })
  await visit('logout', 'POST', '/auth/logout', { token })
  await visit('exchangeSignInToken', 'POST', '/auth/exchange', { body: { token: signInToken(user.id) } })
}

async function visitPasskeys({ visit }: Tourist) {
  const { email, password } = grace
  const { user, access_token: token } = await visit('login', 'POST', '/auth/login', { body: { email, password } })
  const body = { current_password: password }
  const begun = await visit('passkeyOptions', 'POST', '/auth/passkeys/options', { token, body })
  const phone = new Authenticator()
  const added = { token: begun.token, response: phone.create(begun.options), name: 'Phone' }
  const { id } = await visit('addPasskey', 'POST', '/auth/passkeys', { token, body: added })
  const path = `/auth/passkeys/${id}`
  await visit('updatePasskey', 'PATCH', path, { token, body: { name: 'Work phone' } })
  const asked = await visit('passkeyLoginOptions', 'POST', '/auth/passkeys/login/options', { body: {} })
  const used = { token: asked.token, response: phone.get(asked.options) }
  await visit('loginWithPasskey', 'POST', '/auth/passkeys/login', { body: used })
  await visit('passkeys', 'GET', '/auth/passkeys', { token })
  await visit('removePasskey', 'DELETE', path, { token })
  await visit('removePasskeys', 'DELETE', `/api/v1/users/${user.id}/passkeys`)
}

async function visitProjects({ visit }: Tourist) {
  const { id } = await visit('createProject', 'POST', '/projects', { body: { name: 'Search' } })
  const path = `/projects/${id}`
  await visit('project', 'GET', path)
  await visit('updateProject', 'PATCH', path, { body: { name: 'Search team' } })
  await visit('projects', 'GET', '/projects')
  const members = `${path}/members`
  const added = await visit('setProjectMember', 'POST', members, { body: { email: grace.email, role: 'developer' } })
  await visit('projectMembers', 'GET', members)
  await visit('removeProjectMember', 'DELETE', `${members}?user_id=${added.user_id}`)
  const invitations = `${path}/invitations`
  const invited = await visit('createInvitation', 'POST', invitations, { body: { role: 'viewer', email: grace.email } })
  await visit('projectInvitations', 'GET', invitations)
  const { email, password } = grace
  const { access_token: token } = await visit('login', 'POST', '/auth/login', { body: { email, password } })
  await visit('acceptInvitation', 'POST', '/invitations/accept', { token, body: { token: invited.token } })
  const other = await visit('createInvitation', 'POST', invitations, { body: { role: 'viewer', email: grace.email } })
  await visit('deleteInvitation', 'DELETE', `${invitations}/${other.id}`)
  await visit('deleteProject', 'DELETE', path)
}

async function visitWebhooks({ visit }: Tourist) {
  const body = { url: 'https://example.com/webhooks', events: ['shipment.*', 'quota.warning'] }
  const { id } = await visit('createWebhook', 'POST', '/webhooks', { body })
  const path = `/webhooks/${id}`
  await visit('webhook', 'GET', path)
  await visit('updateWebhook', 'PUT', path, { body: { ...body, description: 'Orders' } })
  await visit('patchWebhook', 'PATCH', path, { body: { events: ['shipment.*'] } })
  await visit('rotateWebhookSecret', 'POST', `${path}/rotate-secret`)
  await visit('webhooks', 'GET', '/webhooks')
  const delivery = await visit('testWebhook', 'POST', `${path}/test`)
  await visit('redeliver', 'POST', `${path}/deliveries/${delivery.id}/redeliver`)
  await visit('recoverWebhook', 'POST', `${path}/recover`, { body: { since: '2026-03-14T00:00:00Z' } })
  await visit('delivery', 'GET', `${path}/deliveries/${delivery.id}`)
  await visit('deliveries', 'GET', `${path}/deliveries?status=pending`)
  await visit('deleteWebhook', 'DELETE', path)
}

async function visitEvents({ visit, follow }: Tourist) {
  const [last] = await visit('events', 'GET', '/events?type=webhook.*&limit=1')
  await visit('event', 'GET', `/events/${last.id}`)
  const [, before] = await visit('events', 'GET', '/events?type=shipment.*&limit=2')
  await follow('eventStream', `/events/stream?type=shipment.*&after=${before.id}`)
}

async function visitAudit({ visit }: Tourist) {
  await visit('auditLog', 'GET', '/audit?action=updateApiKey')
  await visit('auditExport', 'GET', '/audit/export?action=updateApiKey&format=csv')
}

async function visitService({ visit }: Tourist) {
  await visit('service', 'GET', '/')
  await visit('healthz', 'GET', '/healthz')
  await visit('readyz', 'GET', '/readyz')
  await visit('metrics', 'GET', '/metrics')
  await visit('reloadConfiguration', 'POST', '/admin/reload')
  await visit('docs', 'GET', '/docs')
  await visit('dashboard', 'GET', '/dashboard')
  await visit('openapiYaml', 'GET', '/openapi.yaml')
  await visit('openapiJson', 'GET', '/openapi.json')
}
