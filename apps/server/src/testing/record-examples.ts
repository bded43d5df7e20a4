import type { AddressMail } from '@fairlead/accounts'
import type { Provider } from '@fairlead/core/provider'
import { local } from '@fairlead/provider-local'
import { webAuthnPasskeys } from '@fairlead/passkeys'
import { Authenticator } from '@fairlead/passkeys/testing'
import { serveApp } from './serve-app.ts'
import { stableText } from './stable-text.ts'
import { recordFailures } from './record-failures.ts'
import { type RecordedExchange, type RecordingClient, createRecordingClient } from './recording-client.ts'

/** A successful call of every operation, by its id, and an error of every code. */
export interface RecordedExamples {
  readonly operations: Readonly<Record<string, RecordedExchange>>
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
export async function recordExamples(): Promise<RecordedExamples> {
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
  const client = createRecordingClient(served.url, credentials.token, () => served.clock.advance(1_000))
  await callFunctions(client)
  await callShipments(client)
  await callUsers(client)
  await callKeys(client)
  const mailedToken = () => mails.flatMap((mail) => (mail.kind === 'verification' ? mail.token : []))[0]
  await callSessions(client, served.signInToken, mailedToken)
  await callProjects(client)
  await callPasskeys(client)
  await callWebhooks(client)
  await callEvents(client)
  await callAudit(client)
  await callService(client)
  const seen: RecordedExamples = { operations: client.exchanges, failures: await recordFailures() }
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

async function callFunctions({ call, listen }: RecordingClient) {
  await call('models', 'GET', '/models')
  await call('model', 'GET', '/models/scribe')
  await call('modelsQuickStart', 'GET', '/v1/models')
  await call('modelQuickStart', 'GET', '/v1/models/scribe')
  const haiku = { model: 'scribe', prompt: 'Write a haiku about rain', seed: 7 }
  await call('generate', 'POST', '/generate', { body: haiku })
  await listen('generate', '/generate', haiku)
  await call('generateQuickStart', 'POST', '/v1/generate', { body: haiku })
  await listen('generateQuickStart', '/v1/generate', haiku)
  const seascape = { model: 'vista', prompt: 'a lighthouse on a cliff at sunset', size: '512x512', seed: 7 }
  const { id } = await call('generateImage', 'POST', '/generate/image', { body: seascape })
  await call('image', 'GET', `/images/${id}.png`)
  await call('generateImageQuickStart', 'POST', '/v1/generate/image', { body: seascape })
  const ship = { model: 'lexis', texts: ['A ship at sea'], dimensions: 256, encoding: 'base64' }
  await call('embed', 'POST', '/embeddings', { body: ship })
  const news = { text: 'Maria Lopez loves the new office in Berlin.', tasks: ['sentiment', 'entities', 'keywords'] }
  await call('analyze', 'POST', '/analyze', { body: news })
  await call('analyzeQuickStart', 'POST', '/v1/analyze', { body: news })
  await call('analyzers', 'GET', '/analyzers')
  await call('providers', 'GET', '/providers')
}

async function callShipments({ call }: RecordingClient) {
  const { id } = await call('createShipment', 'POST', '/api/v1/shipments', { body: shipment })
  const path = `/api/v1/shipments/${id}`
  await call('shipment', 'GET', path)
  await call('updateShipment', 'PUT', path, { body: { ...shipment, status: 'in_transit', carrier: 'DHL' } })
  await call('patchShipment', 'PATCH', path, { body: { notes: 'Leave at the door.', carrier: null } })
  await call('shipments', 'GET', '/api/v1/shipments')
  await call('deleteShipment', 'DELETE', path)
}

async function callUsers({ call }: RecordingClient) {
  const { id } = await call('createUser', 'POST', '/api/v1/users', { body: { ...grace, tier: 'pro' } })
  const path = `/api/v1/users/${id}`
  await call('user', 'GET', path)
  await call('updateUser', 'PUT', path, { body: { email: grace.email, name: 'Grace Brewster Hopper' } })
  await call('patchUser', 'PATCH', path, { body: { tier: 'free' } })
  await call('users', 'GET', '/api/v1/users?tier=pro&limit=1')
  await call('deleteUser', 'DELETE', path)
}

async function callKeys({ call }: RecordingClient) {
  const body = { name: 'website', scopes: ['generate', 'models'] }
  const { id } = await call('createApiKey', 'POST', '/api-keys', { body })
  const path = `/api-keys/${id}`
  await call('apiKey', 'GET', path)
  await call('updateApiKey', 'PATCH', path, { body: { name: 'shop', scopes: ['generate'] } })
  await call('rotateApiKey', 'POST', `${path}/rotate`, { body: { grace_seconds: 3600 } })
  await call('apiKeys', 'GET', '/api-keys')
  await call('revokeApiKey', 'DELETE', path)
  await call('usage', 'GET', '/usage')
  await call('usageTimeseries', 'GET', '/usage/timeseries?group_by=operation')
  const [request] = await call('requests', 'GET', '/requests?operation=generate&limit=1')
  await call('request', 'GET', `/requests/${request.id}`)
}

async function callSessions(
  { call }: RecordingClient,
  signInToken: (userId: string) => string,
  mailedToken: () => string | undefined,
) {
  const { email, password } = grace
  const { user, access_token: token } = await call('signup', 'POST', '/auth/signup', { body: grace })
  await call('sendEmailVerification', 'POST', '/auth/email-verification', { token })
  await call('verifyEmail', 'POST', '/auth/verify-email', { token, body: { token: mailedToken() } })
  const { refresh_token } = await call('login', 'POST', '/auth/login', { body: { email, password } })
  await call('refresh', 'POST', '/auth/refresh', { body: { refresh_token } })
  const sessions = await call('sessions', 'GET', '/sessions', { token })
  const other = sessions.find(({ current }: { readonly current: boolean }) => !current)
  await call('endSession', 'DELETE', `/sessions/${other.id}`, { token })
  await call('logout', 'POST', '/auth/logout', { token })
  await call('exchangeSignInToken', 'POST', '/auth/exchange', { body: { token: signInToken(user.id) } })
}

async function callPasskeys({ call }: RecordingClient) {
  const { email, password } = grace
  const { user, access_token: token } = await call('login', 'POST', '/auth/login', { body: { email, password } })
  const body = { current_password: password }
  const begun = await call('passkeyOptions', 'POST', '/auth/passkeys/options', { token, body })
  const phone = new Authenticator()
  const added = { token: begun.token, response: phone.create(begun.options), name: 'Phone' }
  const { id } = await call('addPasskey', 'POST', '/auth/passkeys', { token, body: added })
  const path = `/auth/passkeys/${id}`
  await call('updatePasskey', 'PATCH', path, { token, body: { name: 'Work phone' } })
  const asked = await call('passkeyLoginOptions', 'POST', '/auth/passkeys/login/options', { body: {} })
  const used = { token: asked.token, response: phone.get(asked.options) }
  await call('loginWithPasskey', 'POST', '/auth/passkeys/login', { body: used })
  await call('passkeys', 'GET', '/auth/passkeys', { token })
  await call('removePasskey', 'DELETE', path, { token })
  await call('removePasskeys', 'DELETE', `/api/v1/users/${user.id}/passkeys`)
}

async function callProjects({ call }: RecordingClient) {
  const { id } = await call('createProject', 'POST', '/projects', { body: { name: 'Search' } })
  const path = `/projects/${id}`
  await call('project', 'GET', path)
  await call('updateProject', 'PATCH', path, { body: { name: 'Search team' } })
  await call('projects', 'GET', '/projects')
  const members = `${path}/members`
  const added = await call('setProjectMember', 'POST', members, { body: { email: grace.email, role: 'developer' } })
  await call('projectMembers', 'GET', members)
  await call('removeProjectMember', 'DELETE', `${members}?user_id=${added.user_id}`)
  const invitations = `${path}/invitations`
  const invited = await call('createInvitation', 'POST', invitations, { body: { role: 'viewer', email: grace.email } })
  await call('projectInvitations', 'GET', invitations)
  const { email, password } = grace
  const { access_token: token } = await call('login', 'POST', '/auth/login', { body: { email, password } })
  await call('acceptInvitation', 'POST', '/invitations/accept', { token, body: { token: invited.token } })
  const other = await call('createInvitation', 'POST', invitations, { body: { role: 'viewer', email: grace.email } })
  await call('deleteInvitation', 'DELETE', `${invitations}/${other.id}`)
  await call('deleteProject', 'DELETE', path)
}

async function callWebhooks({ call }: RecordingClient) {
  const body = { url: 'https://example.com/webhooks', events: ['shipment.*', 'quota.warning'] }
  const { id } = await call('createWebhook', 'POST', '/webhooks', { body })
  const path = `/webhooks/${id}`
  await call('webhook', 'GET', path)
  await call('updateWebhook', 'PUT', path, { body: { ...body, description: 'Orders' } })
  await call('patchWebhook', 'PATCH', path, { body: { events: ['shipment.*'] } })
  await call('rotateWebhookSecret', 'POST', `${path}/rotate-secret`)
  await call('webhooks', 'GET', '/webhooks')
  const delivery = await call('testWebhook', 'POST', `${path}/test`)
  await call('redeliver', 'POST', `${path}/deliveries/${delivery.id}/redeliver`)
  await call('recoverWebhook', 'POST', `${path}/recover`, { body: { since: '2026-03-14T00:00:00Z' } })
  await call('delivery', 'GET', `${path}/deliveries/${delivery.id}`)
  await call('deliveries', 'GET', `${path}/deliveries?status=pending`)
  await call('deleteWebhook', 'DELETE', path)
}

async function callEvents({ call, follow }: RecordingClient) {
  const [last] = await call('events', 'GET', '/events?type=webhook.*&limit=1')
  await call('event', 'GET', `/events/${last.id}`)
  const [, before] = await call('events', 'GET', '/events?type=shipment.*&limit=2')
  await follow('eventStream', `/events/stream?type=shipment.*&after=${before.id}`)
}

async function callAudit({ call }: RecordingClient) {
  await call('auditLog', 'GET', '/audit?action=updateApiKey')
  await call('auditExport', 'GET', '/audit/export?action=updateApiKey&format=csv')
}

async function callService({ call }: RecordingClient) {
  await call('service', 'GET', '/')
  await call('healthz', 'GET', '/healthz')
  await call('readyz', 'GET', '/readyz')
  await call('metrics', 'GET', '/metrics')
  await call('reloadConfiguration', 'POST', '/admin/reload')
  await call('docs', 'GET', '/docs')
  await call('dashboard', 'GET', '/dashboard')
  await call('openapiYaml', 'GET', '/openapi.yaml')
  await call('openapiJson', 'GET', '/openapi.json')
}
