import { type FairleadError, invalidRequest } from '../../runtime/errors.ts'
import { forEach } from '../../runtime/for-each.ts'
import {
  type ByteBudget,
  OutboundError,
  type OutboundErrorKind,
  type OutboundResponse,
} from '../../runtime/outbound/send-outbound.ts'
import type { Outbound } from '../../runtime/outbound/outbound.ts'
import type { MediaPart, MediaSource, Message } from './message.ts'
import type { TextPlan } from '../text/prepare-text.ts'
import { withoutNativeMessages } from '../text/request-text.ts'
import { imageTypes, sniffImage } from './media-data.ts'

export interface MediaOptions {
  /**
   * Private networks from which images and files in messages may be loaded: IP addresses, CIDRs, and host names. Callers
   * can then read what is there. Link-local and metadata addresses only if they are listed exactly. Default: none.
   */
  readonly allowNetworks?: readonly string[] | undefined
  /** Loads the images and files. Default: `createOutbound`, with `allowNetworks`. */
  readonly outbound?: Outbound | undefined
}

export const mediaNetworksSetting = 'FAIRLEAD_MEDIA_ALLOW_NETWORKS'

const maxTotalBytes = 20 * 1_048_576
/** More would let clients flood other servers through this service. */
const maxUrls = 100
const maxConcurrent = 20
const timeoutMs = 10_000
const maxRedirects = 3

/**
 * Loads the images and files that messages have as URLs, if a target of the route cannot do that itself. Returns the plan
 * itself if there are none. Rejects with `INVALID_REQUEST` that names the part, before a provider is called.
 */
export function loadMedia(
  outbound: Outbound,
  plan: TextPlan,
  owner: { readonly signal: AbortSignal },
): TextPlan | Promise<TextPlan> {
  const { request, route } = plan
  if (route.targets.every(({ model }) => model.urls)) return plan
  const urls = new Map<string, Source>()
  mapMedia(request.messages, (part, field) => {
    const { source } = part
    if (source.kind === 'url' && !urls.has(mediaKey(part))) urls.set(mediaKey(part), { part, url: source.url, field })
    return part
  })
  if (urls.size === 0) return plan
  return loadAll(outbound, urls, owner.signal).then((loaded) => {
    const messages = mapMedia(request.messages, (part) => {
      const source = loaded.get(mediaKey(part))
      return part.source.kind === 'url' && source ? { ...part, source } : part
    })
    // The client's own form of the messages has the addresses.
    return { ...plan, request: withoutNativeMessages({ ...request, messages }) }
  })
}

interface Source {
  readonly part: MediaPart
  readonly url: string
  /** Of the first part with this URL. */
  readonly field: string
}

type Loaded = Extract<MediaSource, { readonly kind: 'data' }>

/** Parts with the same source are loaded once. */
function mediaKey({ type, source }: MediaPart): string {
  return source.kind === 'url' ? `${type} ${type === 'file' ? source.mediaType : ''} ${source.url}` : ''
}

/** Maps the images and files of messages, and of the results of tools in them. */
function mapMedia(
  messages: readonly Message[],
  map: (part: MediaPart, field: string) => MediaPart,
): readonly Message[] {
  const mapAll = <Part extends { readonly type: string }>(parts: readonly Part[], field: string): readonly Part[] =>
    parts.map((part, at) => {
      const partField = `${field}[${at}]`
      if (part.type === 'image' || part.type === 'file') return map(part as never, partField) as never
      if (part.type !== 'tool_result') return part
      const { content } = part as unknown as { readonly content: readonly MediaPart[] }
      return { ...part, content: mapAll(content, `${partField}.content`) }
    })
  return messages.map((message, index) => ({
    ...message,
    content: mapAll<{ readonly type: string }>(message.content, `messages[${index}].content`) as never,
  }))
}

async function loadAll(
  outbound: Outbound,
  sources: ReadonlyMap<string, Source>,
  caller: AbortSignal,
): Promise<ReadonlyMap<string, Loaded>> {
  const all = [...sources]
  const excess = all[maxUrls]?.[1]
  if (excess) throw fault(excess.field, `is beyond the ${maxUrls} URLs that one request may have`)
  const budget: ByteBudget = { left: maxTotalBytes }
  const loaded = new Map<string, Loaded>()
  await forEach(all, { max: maxConcurrent, signal: caller }, async ([key, source], signal) => {
    loaded.set(key, await load(outbound, source, budget, signal))
  })
  return loaded
}

async function load(outbound: Outbound, source: Source, budget: ByteBudget, signal: AbortSignal): Promise<Loaded> {
  const { part, url, field } = source
  const { status, headers, body, truncated } = await follow(outbound, { url, field }, budget, signal)
  if (truncated) throw fault(field, 'cannot be loaded: the images and files of a request may have 20 MiB together')
  if (status !== 200) throw fault(field, `cannot be loaded: the server responded with ${status}`)
  const data = body.toString('base64')
  if (part.type === 'image') {
    const mediaType = sniffImage(data)
    if (mediaType === undefined) throw fault(field, `must be an image of type ${imageTypes.join(', ')}`)
    return { kind: 'data', data, mediaType }
  }
  const [sent = ''] = (headers['content-type'] ?? '').toLowerCase().split(';')
  const { mediaType = sent.trim() } = part.source
  const isOther = sent.trim() !== mediaType.toLowerCase() && !unspecific.has(sent.trim())
  if (isOther) throw fault(field, `has the media type "${sent.trim()}", not "${mediaType}"`)
  return { kind: 'data', data, mediaType }
}

/** Media types from servers that do not know the type of a file. */
const unspecific: ReadonlySet<string> = new Set(['', 'application/octet-stream', 'binary/octet-stream'])

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Each redirect is a new request, whose address is checked again. */
async function follow(
  outbound: Outbound,
  { url, field }: Pick<Source, 'url' | 'field'>,
  budget: ByteBudget,
  signal: AbortSignal,
): Promise<OutboundResponse> {
  const headers = { accept: '*/*', 'user-agent': 'fairlead' }
  const request = { method: 'GET', headers, budget, signal, maxResponseBytes: maxTotalBytes } as const
  const endAt = performance.now() + timeoutMs
  let target = url
  for (let count = 0; count <= maxRedirects; count++) {
    const leftMs = Math.max(1, Math.ceil(endAt - performance.now()))
    const response = await outbound.request(target, { ...request, timeoutMs: leftMs }).catch((error: unknown) => {
      if (signal.aborted || !(error instanceof OutboundError)) throw error
      throw fault(field, `cannot be loaded: ${toReason(error)}`)
    })
    const { location } = response.headers
    if (!redirects.has(response.status) || location === undefined) return response
    const next = URL.parse(location, target)
    if (!next) throw fault(field, 'cannot be loaded: the server redirected to an invalid URL')
    target = next.href
  }
  throw fault(field, `cannot be loaded: the server redirected more than ${maxRedirects} times`)
}

/** Other messages can contain addresses of the network that the service is in. */
function toReason({ kind, message }: OutboundError): string {
  return kind === 'blocked' || kind === 'dns' ? message.replace(/^The/, 'the') : reasons[kind]
}

const reasons: Readonly<Record<Exclude<OutboundErrorKind, 'blocked' | 'dns'>, string>> = {
  connect: 'the server could not be reached',
  tls: 'there was no secure connection to the server',
  timeout: `the server did not respond within ${timeoutMs / 1_000} s`,
  reset: 'the server closed the connection',
  invalid_response: 'the response was not HTTP',
}

function fault(field: string, issue: string): FairleadError {
  return invalidRequest({ field: `${field}.url`, issue })
}
